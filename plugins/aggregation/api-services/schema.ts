import {
  Bool,
  Bytes,
  embedded,
  field,
  Int32,
  KeyedList,
  Kind,
  kept,
  type ObjectOf,
  required,
  type Static,
  Struct,
  Text,
  Time,
  timestampOf,
} from 'orch/sdk'

const ServiceReference = Struct(
  'apiregistration.v1.ServiceReference',
  {
    namespace: field(1, Text(), 'Namespace of the Service.'),
    name: field(2, Text(), 'Name of the Service.'),
    port: kept(3, Int32(), 'Port of the Service, 1 to 65535; 443 by default.'),
  },
  { description: 'Names a Service.' },
)
const APIServiceSpec = Struct(
  'apiregistration.v1.APIServiceSpec',
  {
    service: kept(
      1,
      ServiceReference,
      'The Service of the extension server. Unset for versions that this server serves itself.',
    ),
    group: field(2, Text(), 'The API group.'),
    version: field(3, Text(), 'The version of the group, such as v1.'),
    insecureSkipTLSVerify: field(4, Bool(), 'Whether to skip verification of the certificate of the extension server.'),
    caBundle: field(5, Bytes(), {
      description:
        'PEM of the CAs that sign the certificate of the extension server. The CAs of this machine if unset.',
      listType: 'atomic',
    }),
    groupPriorityMinimum: required(
      7,
      Int32(),
      'Minimum priority of the group in the list of groups; groups with a higher one come first. 1 to 20000.',
    ),
    versionPriority: required(
      8,
      Int32(),
      'Priority of the version within its group; the highest is the preferred version. 1 to 1000.',
    ),
  },
  { description: 'The group and version, and the server that serves it.' },
)
const APIServiceCondition = Struct(
  'apiregistration.v1.APIServiceCondition',
  {
    type: required(1, Text(), 'Type of the condition: Available.'),
    status: required(2, Text(), 'True, False or Unknown.'),
    lastTransitionTime: field(3, Time(), {
      description: 'When the status changed.',
      presence: 'always',
      nullable: true,
    }),
    reason: field(4, Text(), 'Machine-readable reason in one word.'),
    message: field(5, Text(), 'Human-readable message.'),
  },
  { description: 'An observed condition.' },
)
const APIServiceStatus = Struct(
  'apiregistration.v1.APIServiceStatus',
  {
    conditions: field(1, KeyedList(APIServiceCondition, 'type'), 'Observed conditions.'),
  },
  { description: 'Observed state. Written by the server.' },
)
export const APIService = Kind(
  'apiregistration.v1.APIService',
  {
    spec: embedded(2, APIServiceSpec, 'Desired state.'),
    status: embedded(3, APIServiceStatus, 'Observed state. Written by the server.'),
  },
  { description: 'A version of an API group, and the server that answers requests for it.' },
)
export type APIService = ObjectOf<typeof APIService>
export type APIServiceSpec = Static<typeof APIServiceSpec>
export type Condition = Static<typeof APIServiceCondition>

export const apiServiceName = (group: string, version: string): string => `${version}.${group}`

/** The Available condition of versions that this server serves itself. */
export const localCondition = (now: number): Condition => ({
  type: 'Available',
  status: 'True',
  lastTransitionTime: timestampOf(now),
  reason: 'Local',
  message: 'Local APIServices are always available',
})
export const availableOf = ({ status }: APIService): Condition | undefined =>
  status.conditions?.find(({ type }) => type === 'Available')
