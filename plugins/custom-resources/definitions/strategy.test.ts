import { kubernetesProfile, profileAtVersion, Vendor } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { featuresOf } from '../features.js'
import { customResourceNames } from '../names.js'
import { ValidationThread } from '../schemas/validation-thread.js'
import { fillDefaults } from './resource.js'
import type { CustomResourceDefinition } from './schema.js'
import { mainStrategy, statusStrategy } from './strategy.js'

const vendorAt = (version: string) => new Vendor(profileAtVersion(kubernetesProfile, version)!)
const featuresAt = (version: string) => featuresOf(vendorAt(version), () => true)
const definition = (schema: Record<string, unknown> = {}): CustomResourceDefinition => ({
  metadata: { name: 'widgets.acme.test' },
  spec: {
    group: 'acme.test',
    names: { plural: 'widgets', kind: 'Widget' },
    scope: 'Cluster',
    versions: [
      { name: 'v1', served: true, storage: false },
      { name: 'v2', served: true, storage: true, schema: { openAPIV3Schema: schema } },
    ],
  },
  status: { conditions: null, acceptedNames: { plural: '', kind: '' }, storedVersions: null },
})

const defaulting = suite('defaults of a definition')

defaulting('record the storage version if no stored version is known', () => {
  const [unknown, known] = [definition(), definition()]
  known.status.storedVersions = ['v1']
  for (const each of [unknown, known]) fillDefaults(each)
  assert.equal([unknown.status.storedVersions, known.status.storedVersions], [['v2'], ['v1']])
})

defaulting('drop a conversion webhook that says nothing', () => {
  const [empty, some] = [definition(), definition()]
  empty.spec.conversion = { strategy: 'None', webhook: { conversionReviewVersions: null } }
  some.spec.conversion = { strategy: 'None', webhook: { conversionReviewVersions: [] } }
  for (const each of [empty, some]) fillDefaults(each)
  assert.equal(empty.spec.conversion, { strategy: 'None' })
  assert.equal(some.spec.conversion, { strategy: 'None', webhook: { conversionReviewVersions: [] } })
})

defaulting.run()

const warnings = suite('warnings about formats')

warnings('are for strings only at first, and for all types later', () => {
  const schema = {
    properties: { a: { type: 'string', format: 'x' }, b: { type: 'integer', format: 'y' }, c: { format: 'z' } },
  }
  const warningsAt = (version: string) => {
    const vendor = vendorAt(version)
    const strategy = mainStrategy(
      customResourceNames(vendor),
      featuresAt(version),
      new ValidationThread({ maxWork: 1_000_000, maxCpuMs: 1000 }),
    )
    return strategy.warnings!(definition(schema), undefined, {} as never)
  }
  const expected = ['x', 'y', 'z'].map(format => `unrecognized format "${format}"`)
  assert.equal(warningsAt('1.35'), expected.slice(0, 1))
  assert.equal(warningsAt('1.36'), expected)
})

warnings.run()

const status = suite('status of a definition')

status('may have any stored versions that are not in use', async () => {
  const strategy = statusStrategy(featuresAt('1.36'), async () => ['v2'])
  const [stored, sent] = [definition(), definition()]
  stored.status.storedVersions = ['v1', 'v2']
  const errorsOf = async (...versions: string[]) => {
    sent.status.storedVersions = versions
    return (await strategy.validateUpdate!(sent, stored, {} as never)).map(({ field }) => field)
  }
  assert.equal(await errorsOf('v2', 'v9'), [])
  assert.equal(await errorsOf('v1'), ['status.storedVersions'])
})

status('owns metadata in versions that do not reset it', () => {
  const resetAt = (version: string) => statusStrategy(featuresAt(version), async () => []).resetFields
  assert.equal(resetAt('1.35'), ['metadata', 'spec'])
  assert.equal(resetAt('1.36'), ['spec'])
})

status.run()
