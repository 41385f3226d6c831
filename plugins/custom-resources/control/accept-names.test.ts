import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { CustomResourceDefinition, DefinitionNames } from '../definitions/schema.js'
import { acceptNames, claimKeysOf, NameClaims } from './accept-names.js'

const definition = (plural: string, kind: string, accepted?: Partial<DefinitionNames>): CustomResourceDefinition => ({
  metadata: { name: `${plural}.acme.test` },
  spec: {
    group: 'acme.test',
    names: { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List`, shortNames: [plural.slice(0, 2)] },
    scope: 'Namespaced',
    versions: null,
  },
  status: { conditions: null, acceptedNames: { plural: '', kind: '', ...accepted }, storedVersions: null },
})
const withNames = (each: CustomResourceDefinition): CustomResourceDefinition => ({
  ...each,
  status: { ...each.status, acceptedNames: each.spec.names },
})
const ownersAmong = (others: readonly CustomResourceDefinition[]) => (place: string) =>
  others.filter(other => claimKeysOf(other).includes(place)).map(({ metadata }) => metadata.name ?? '')

const names = suite('names of definitions')

names('are accepted when they are free', () => {
  const { acceptedNames, condition } = acceptNames(definition('widgets', 'Widget'), ownersAmong([]))
  assert.equal(acceptedNames, definition('widgets', 'Widget').spec.names)
  assert.is(condition.status, 'True')
})

names('of paths and of kinds are separate; a definition keeps its accepted names', () => {
  const other = withNames(definition('widget', 'Wheel'))
  const { acceptedNames, condition } = acceptNames(definition('widgets', 'Widget'), ownersAmong([other]))
  assert.is(condition.reason, 'ShortNamesConflict')
  assert.is(acceptedNames.plural, 'widgets')
  assert.is(acceptedNames.singular, undefined)
  assert.is(acceptedNames.kind, 'Widget')
  const mine = withNames(definition('widgets', 'Widget'))
  assert.is(acceptNames(mine, ownersAmong([mine, other])).condition.status, 'True')
})

names('that a definition has in one place are taken in all others', () => {
  const mine = withNames(definition('widgets', 'Widget'))
  const changed = { ...mine, spec: { ...mine.spec, names: { ...mine.spec.names, shortNames: ['wi', 'widgets'] } } }
  const { acceptedNames, condition } = acceptNames(changed, ownersAmong([mine]))
  assert.is(condition.reason, 'ShortNamesConflict')
  assert.equal(acceptedNames.shortNames, ['wi'])
})

names('that another definition has just claimed are taken until they are released', () => {
  const claims = new NameClaims()
  claims.claim(withNames(definition('wheels', 'Widget')))
  const ownersOf = (place: string) => [claims.ownerOf(place) ?? []].flat()
  assert.is(acceptNames(definition('widgets', 'Widget'), ownersOf).condition.reason, 'ListKindConflict')
  claims.release('wheels.acme.test')
  assert.is(acceptNames(definition('widgets', 'Widget'), ownersOf).condition.status, 'True')
})

names.run()
