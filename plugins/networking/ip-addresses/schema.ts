import { embedded, field, Kind, kept, type Static, Struct, Text } from 'orch/sdk'

/** All versions have the same fields under their own type names. */
export function ipAddressIn(version: 'v1' | 'v1beta1' | 'v1alpha1') {
  const named = (name: string) => `networking.${version}.${name}`
  const ParentReference = Struct(
    named('ParentReference'),
    {
      group: field(1, Text(), 'Group of the object; empty for the core group.'),
      resource: field(2, Text(), {
        description: 'Type of the object, such as services. Required.',
        revised: [{ since: '1.30', to: { isRequired: true } }],
      }),
      namespace: field(3, Text(), 'Namespace of the object.'),
      name: field(4, Text(), {
        description: 'Name of the object. Required.',
        revised: [{ since: '1.30', to: { isRequired: true } }],
      }),
      uid: field(5, Text(), { description: 'UID of the object.', until: '1.28' }),
    },
    { description: 'The object that has an address.' },
  )
  return Kind(
    named('IPAddress'),
    {
      spec: embedded(
        2,
        Struct(
          named('IPAddressSpec'),
          {
            parentRef: kept(1, ParentReference, {
              description: 'The object that has the address. Required; it cannot be changed.',
              revised: [{ since: '1.30', to: { isRequired: true } }],
            }),
          },
          { description: 'The owner of an address.' },
        ),
        { description: 'The owner of the address.', revised: [{ since: '1.36', to: { isRequired: true } }] },
      ),
    },
    { description: 'An allocated address: its name is the address.' },
  )
}
export const IPAddress = ipAddressIn('v1')
export type IPAddress = Static<typeof IPAddress>
export type ParentReference = NonNullable<NonNullable<IPAddress['spec']>['parentRef']>
