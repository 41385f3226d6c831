import { AtomicList, Condition, embedded, field, KeyedList, Kind, type Static, Struct, Text } from 'orch/sdk'

/** All versions have the same fields under their own type names. */
export function serviceCidrIn(version: 'v1' | 'v1beta1' | 'v1alpha1') {
  const named = (name: string) => `networking.${version}.${name}`
  return Kind(
    named('ServiceCIDR'),
    {
      spec: embedded(
        2,
        Struct(
          named('ServiceCIDRSpec'),
          { cidrs: field(1, AtomicList(Text()), 'One range, or one of each family. A second family can be added.') },
          { description: 'Ranges of addresses.' },
        ),
        'The ranges.',
      ),
      status: embedded(
        3,
        Struct(
          named('ServiceCIDRStatus'),
          {
            conditions: field(1, KeyedList(Condition, 'type'), 'Whether addresses are allocated from the ranges.'),
          },
          { description: 'Observed state of the ranges.' },
        ),
        'Observed state of the ranges.',
      ),
    },
    { description: 'Ranges from which the addresses of Services are allocated.' },
  )
}
export const ServiceCIDR = serviceCidrIn('v1')
export type ServiceCIDR = Static<typeof ServiceCIDR>
