import { isDeepStrictEqual } from 'node:util'
import {
  type Column,
  defineResource,
  type FieldError,
  invalidValue,
  nameColumn,
  requiredValue,
  type Strategy,
} from 'orch/sdk'
import { canonicalIp, isDns1123Subdomain, isPathSegmentName, isStrictIp, isValidIp } from 'orch/sdk/validation'
import type { NetworkingNames } from '../names.js'
import { IPAddress, ipAddressIn, type ParentReference } from './schema.js'

/** A name is an address in canonical form, which IPv4-mapped ones have in older versions only. */
export function checkAddressName(name: string, mayBeMapped = false): string[] {
  const wrong = (mayBeMapped ? isValidIp : isStrictIp)(name)
  if (wrong.length > 0) return wrong
  const plain = canonicalIp(name)
  const isMapped = name.includes(':') && !plain.includes(':')
  const canonical = isMapped ? `::ffff:${plain}` : plain
  return name === canonical ? [] : [`must be in canonical form (${JSON.stringify(canonical)})`]
}

export function validateAddress({ spec }: IPAddress): FieldError[] {
  const at = 'spec.parentRef'
  if (!spec?.parentRef) return [requiredValue(at)]
  const { group = '', resource = '', name = '', namespace = '' } = spec.parentRef
  const wrong = (field: keyof ParentReference, value: string, rule: (value: string) => string[]) =>
    rule(value).map(text => invalidValue(`${at}.${field}`, value, text))
  const needed = (field: keyof ParentReference, value: string) =>
    value === '' ? [requiredValue(`${at}.${field}`)] : wrong(field, value, isPathSegmentName)
  return [
    ...(group === '' ? [] : wrong('group', group, isDns1123Subdomain)),
    ...needed('resource', resource),
    ...needed('name', name),
    ...(namespace === '' ? [] : wrong('namespace', namespace, isPathSegmentName)),
  ]
}

const mainStrategy = {
  validate: validateAddress,
  validateUpdate: (object, stored) => [
    ...validateAddress(object),
    ...(isDeepStrictEqual(object.spec?.parentRef, stored.spec?.parentRef)
      ? []
      : [invalidValue('spec.parentRef', object.spec?.parentRef, 'field is immutable')]),
  ],
} satisfies Strategy<IPAddress>

/** The object that has an address: `services/default/web`. */
function parentText({ spec }: IPAddress): string {
  if (!spec?.parentRef) return '<none>'
  const { group = '', resource = '', namespace = '', name = '' } = spec.parentRef
  const type = `${resource}${group === '' ? '' : `.${group}`}`.toLowerCase()
  return [type, ...(namespace === '' ? [] : [namespace]), name].join('/')
}
const columns: readonly Column<IPAddress>[] = [
  nameColumn as Column<IPAddress>,
  { name: 'ParentRef', type: 'string', description: 'The object that has the address.', cell: parentText },
]

export const ipAddresses = ({ group, refusesMappedNames }: NetworkingNames) =>
  defineResource({
    group,
    kind: 'IPAddress',
    resource: 'ipaddresses',
    singular: 'ipaddress',
    shortNames: ['ip'],
    namespaced: false,
    versions: [
      { name: 'v1', since: '1.33', schema: IPAddress, storage: true },
      {
        name: 'v1beta1',
        since: '1.31',
        schema: ipAddressIn('v1beta1'),
        served: false,
        deprecated: { since: '1.34', removedRelease: '1.37', replacement: `${group}/v1` },
      },
      { name: 'v1alpha1', since: '1.27', until: '1.30', schema: ipAddressIn('v1alpha1') },
    ],
    since: '1.27',
    generation: false,
    strategy: mainStrategy,
    deletion: { answer: 'object' },
    validateName: name => checkAddressName(name, !refusesMappedNames),
    columns,
  })
