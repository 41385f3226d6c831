import {
  AtomicList,
  Condition,
  field,
  Int32,
  Int64,
  KeyedList,
  Kind,
  kept,
  required,
  type Static,
  Struct,
  Text,
} from 'orch/sdk'
import { named } from '../schemas/device-version.js'

const version = 'v1alpha3'
const PoolStatus = Struct(
  named(version, 'PoolStatus'),
  {
    driver: required(1, Text(), 'The driver of the pool.'),
    poolName: required(2, Text(), 'Name of the pool.'),
    nodeName: kept(3, Text(), 'The node that has the pool.'),
    totalDevices: kept(4, Int32(), 'How many devices there are.'),
    allocatedDevices: kept(5, Int32(), 'How many of them are allocated.'),
    availableDevices: kept(6, Int32(), 'How many of them can be allocated.'),
    unavailableDevices: kept(7, Int32(), 'How many of them cannot be allocated because of taints.'),
    resourceSliceCount: kept(8, Int32(), 'How many slices the pool has.'),
    generation: required(9, Int64(), 'The generation of the pool.'),
    validationError: kept(10, Text(), 'Why the numbers are unknown.'),
  },
  { description: 'State of a pool.' },
)

export const ResourcePoolStatusRequest = Kind(
  named(version, 'ResourcePoolStatusRequest'),
  {
    spec: required(
      2,
      Struct(
        named(version, 'ResourcePoolStatusRequestSpec'),
        {
          driver: required(1, Text(), 'The driver whose pools are queried.'),
          poolName: kept(2, Text(), 'The pool that is queried; all pools of the driver if it is not set.'),
          limit: kept(3, Int32(), {
            description: 'Maximum number of pools in the response; 100 by default.',
            default: 100,
          }),
        },
        { description: 'The query.' },
      ),
      'The query. It cannot be changed.',
    ),
    status: kept(
      3,
      Struct(
        named(version, 'ResourcePoolStatusRequestStatus'),
        {
          pools: field(2, AtomicList(PoolStatus), 'The pools.'),
          conditions: field(3, KeyedList(Condition, 'type'), 'Complete or Failed.'),
          poolCount: kept(6, Int32(), {
            description: 'How many pools match. Required.',
            revised: [{ since: '1.36', to: { isRequired: true } }],
          }),
        },
        { description: 'The result.' },
      ),
      'The result. It can be written once.',
    ),
  },
  { description: 'A query for the state of the pools of a driver, which is answered once.' },
)
export type ResourcePoolStatusRequest = Static<typeof ResourcePoolStatusRequest>
