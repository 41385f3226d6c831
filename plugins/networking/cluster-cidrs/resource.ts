import { isDeepStrictEqual } from 'node:util'
import {
  ageColumn,
  type Column,
  defineResource,
  embedded,
  type FieldError,
  field,
  Int32,
  invalidValue,
  Kind,
  kept,
  nameColumn,
  type ObjectOf,
  required,
  requiredValue,
  type Strategy,
  Struct,
  Text,
} from 'orch/sdk'
import { NodeSelector, validateNodeSelector } from 'orch/sdk/core'
import { isValidCidr, isValidIpv4, nameIsDnsLabel } from 'orch/sdk/validation'
import type { NetworkingNames } from '../names.js'

const ClusterCIDR = Kind(
  'networking.v1alpha1.ClusterCIDR',
  {
    spec: embedded(
      2,
      Struct(
        'networking.v1alpha1.ClusterCIDRSpec',
        {
          nodeSelector: kept(1, NodeSelector, 'Nodes that ranges are allocated to; all by default.'),
          perNodeHostBits: required(2, Int32(), 'Size of the range of a node: the bits that its addresses differ in.'),
          ipv4: field(3, Text(), { description: 'Range of IPv4 addresses.', presence: 'always' }),
          ipv6: field(4, Text(), { description: 'Range of IPv6 addresses.', presence: 'always' }),
        },
        { description: 'The ranges, and the nodes that they are allocated to. It cannot be changed.' },
      ),
      'The ranges, and the nodes that they are allocated to.',
    ),
  },
  { description: 'Addresses from which the Pod ranges of nodes are allocated.' },
)
export type ClusterCIDR = ObjectOf<typeof ClusterCIDR>

const minHostBits = 4
const families = [
  { name: 'ipv4', title: 'IPv4', bits: 32 },
  { name: 'ipv6', title: 'IPv6', bits: 128 },
] as const

export function validateRange({ spec }: ClusterCIDR): FieldError[] {
  const errors = spec.nodeSelector ? validateNodeSelector(spec.nodeSelector, 'spec.nodeSelector') : []
  if (!spec.ipv4 && !spec.ipv6)
    return [...errors, requiredValue('spec', 'one or both of `ipv4` and `ipv6` must be specified')]
  return [
    ...errors,
    ...families.flatMap(({ name, title, bits }) => {
      const range = spec[name]
      if (!range) return []
      // The reference names these fields by the family.
      const path = `spec.${title}`
      if (isValidCidr(range).length > 0) return [invalidValue(path, range, `must be a valid CIDR: ${range}`)]
      const [address = '', prefix] = range.split('/')
      const isV4 = isValidIpv4(address).length === 0
      const maxHostBits = bits - Number(prefix)
      const wrongSize = (rule: string) => invalidValue('spec.perNodeHostBits', spec.perNodeHostBits, rule)
      return [
        ...(isV4 === (name === 'ipv4') ? [] : [invalidValue(path, range, `must be a valid ${title} CIDR`)]),
        ...(spec.perNodeHostBits < minHostBits ? [wrongSize(`must be greater than or equal to ${minHostBits}`)] : []),
        ...(spec.perNodeHostBits > maxHostBits ? [wrongSize(`must be less than or equal to ${maxHostBits}`)] : []),
      ]
    }),
  ]
}

export const validateRangeUpdate = (sent: ClusterCIDR, stored: ClusterCIDR): FieldError[] =>
  (['nodeSelector', 'perNodeHostBits', 'ipv4', 'ipv6'] as const)
    .filter(name => !isDeepStrictEqual(sent.spec[name], stored.spec[name]))
    .map(name => invalidValue(`spec.${name}`, sent.spec[name], 'field is immutable'))

const columns: readonly Column<ClusterCIDR>[] = [
  nameColumn as Column<ClusterCIDR>,
  {
    name: 'PerNodeHostBits',
    type: 'string',
    description: 'Size of the range of a node.',
    cell: ({ spec }) => String(spec.perNodeHostBits),
  },
  { name: 'IPv4', type: 'string', description: 'Range of IPv4 addresses.', cell: ({ spec }) => spec.ipv4 || '<none>' },
  { name: 'IPv6', type: 'string', description: 'Range of IPv6 addresses.', cell: ({ spec }) => spec.ipv6 || '<none>' },
  ageColumn as Column<ClusterCIDR>,
]

/** Alpha, and removed without a successor: off unless --runtime-config turns it on. */
export const clusterCidrs = ({ group }: NetworkingNames) =>
  defineResource({
    group,
    kind: 'ClusterCIDR',
    resource: 'clustercidrs',
    shortNames: ['cc'],
    namespaced: false,
    versions: [{ name: 'v1alpha1', schema: ClusterCIDR }],
    since: '1.25',
    until: '1.28',
    generation: false,
    validateName: nameIsDnsLabel,
    strategy: { validate: validateRange, validateUpdate: validateRangeUpdate } satisfies Strategy<ClusterCIDR>,
    columns,
  })
