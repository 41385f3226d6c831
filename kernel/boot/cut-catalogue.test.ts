import {
  defineAction,
  field,
  Kind,
  kubernetesProfile,
  profileAtVersion,
  type ResourceDefinition,
  type Strategy,
  type StrategyContext,
  Struct,
  Text,
  Vendor,
} from 'orch/sdk'
import type { AddedSubresource } from 'orch/sdk/host'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { FeatureGates } from '../options/feature-gates.js'
import { cutterFor } from './cut-catalogue.js'

const cutting = suite('the catalogue of a version')

const Widget = Kind('acme.v1.Widget', {
  spec: field(
    2,
    Struct('acme.v1.WidgetSpec', {
      size: field(1, Text()),
      color: field(2, Text(), { since: '1.27' }),
      glow: field(3, Text(), { gate: 'Glow' }),
    }),
  ),
})
const Options = Kind('acme.v1.Options', { way: field(1, Text(), { since: '1.27' }) })
const column = (name: string) => ({ name, type: 'string', description: 'A name.', cell: () => '' }) as const
const widgets: ResourceDefinition = {
  group: 'acme.test',
  kind: 'Widget',
  resource: 'widgets',
  namespaced: true,
  versions: [
    { name: 'v1', schema: Widget, storage: true, since: '1.25' },
    { name: 'v1beta1', schema: Widget, until: '1.25', deprecated: { since: '1.24', replacement: 'acme.test/v1' } },
  ],
  subresources: {
    status: { kind: 'update', strategy: {} },
    resize: { kind: 'update', strategy: {}, since: '1.32' },
  },
  columns: [column('Size'), { ...column('Color'), since: '1.27' }],
}
const turn = defineAction({ group: 'acme.test', version: 'v1', objectKind: 'Options', schema: Options, handlers: {} })

const at = (version: string, gates: Record<string, string> = {}) => {
  const vendor = new Vendor(profileAtVersion(kubernetesProfile, version)!)
  const declared = { Glow: { stage: 'alpha', description: 'Widgets glow.' } } as const
  return cutterFor(vendor, new FeatureGates([declared], gates, vendor))
}
const cutAt = (version: string, gates?: Record<string, string>) => at(version, gates)('resource', widgets)!
const fieldsOf = (schema: { [key: string]: unknown }) => Object.keys(schema['properties'] as object).join(' ')

cutting('has the fields, columns and subresources of that version', () => {
  const specAt = (version: string) => {
    const { schema } = cutAt(version).versions[0]!
    return fieldsOf((schema['properties'] as Record<string, Record<string, unknown>>)['spec']!)
  }
  assert.equal([specAt('1.23'), specAt('1.27')], ['size glow', 'size color glow'])
  assert.equal(
    cutAt('1.23').columns?.map(({ name }) => name),
    ['Size'],
  )
  assert.equal(
    cutAt('1.36').columns?.map(({ name }) => name),
    ['Size', 'Color'],
  )
  assert.equal(Object.keys(cutAt('1.31').subresources ?? {}), ['status'])
  assert.equal(Object.keys(cutAt('1.32').subresources ?? {}), ['status', 'resize'])
})

cutting('keeps versions that it does not serve, because objects may be stored in them', () => {
  const served = (version: string) => cutAt(version).versions.map(each => each.served)
  assert.equal(served('1.24'), ['never', undefined])
  assert.equal(served('1.25'), [undefined, undefined])
  assert.equal(served('1.26'), [undefined, 'never'])
})

cutting('deprecates a version from its release on', () => {
  assert.is(cutAt('1.23').versions[1]!.deprecated, undefined)
  assert.is(cutAt('1.24').versions[1]!.deprecated?.since, '1.24')
})

cutting('cuts a schema on first use, not at start', () => {
  const cut = [cutAt('1.23').versions[0]!, at('1.23')('subresource', { ...added })!.subresource]
  for (const definition of cut) assert.type(Object.getOwnPropertyDescriptor(definition, 'schema')?.get, 'function')
})

const added: AddedSubresource = { group: 'acme.test', resource: 'widgets', name: 'turn', subresource: turn }
cutting('cuts subresources that a plugin adds to the type of another', () => {
  const schemaAt = (version: string) => {
    const { subresource } = at(version)('subresource', added)!
    return subresource.kind === 'action' ? fieldsOf(subresource.schema) : ''
  }
  assert.equal([schemaAt('1.23'), schemaAt('1.27')], ['metadata', 'metadata way'])
})

cutting('drops what is written to a field whose gate is off', () => {
  const written = (gates: Record<string, string>) => {
    const draft = { spec: { size: 'big', glow: 'yes' } }
    const strategy = cutAt('1.36', gates).strategy as unknown as Strategy<object>
    strategy.prepareForCreate?.(draft, {} as StrategyContext)
    return Object.keys(draft.spec).join(' ')
  }
  assert.equal([written({}), written({ Glow: 'true' })], ['size', 'size glow'])
})

cutting('has nothing that was added later or removed before', () => {
  const control = { name: 'X', since: '1.26', until: '1.29' } as never
  const isThere = (version: string) => at(version)('admission', control) !== undefined
  assert.equal(['1.25', '1.26', '1.29', '1.30'].map(isThere), [false, true, true, false])
})

cutting.run()
