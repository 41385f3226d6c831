import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pluginConformance } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { temporaryFolder } from '../support/temporary-folder.js'

/** The kit on plugins in separate processes: correct ones pass, and planted defects are found. */
const kit = suite('the conformance kit in grade worker')

interface Parts {
  readonly validate?: string
  readonly review?: string
}
const source = ({ validate, review }: Parts) => `
import { definePlugin, defineResource, embedded, field, invalidValue, Kind, Struct, Text } from 'orch/sdk'

const Toy = Kind('toys.v1.Toy', { spec: embedded(2, Struct('toys.v1.ToySpec', { color: field(1, Text()) })) })
const check = ({ spec }) => ${validate ?? `spec?.color === 'none' ? [invalidValue('spec.color', spec.color, 'must be a color')] : []`}

export default definePlugin({
  name: 'toys',
  requires: ['namespaces'],
  register(to) {
    to.resource(
      defineResource({
        group: 'toys.test',
        kind: 'Toy',
        resource: 'toys',
        namespaced: true,
        versions: [{ name: 'v1', schema: Toy }],
        strategy: { validate: check, validateUpdate: check },
      }),
    )
    to.admission({
      name: 'Painted',
      phase: 'mutate',
      sideEffects: 'none',
      matches: { group: 'toys.test', resource: 'toys', operations: ['create'] },
      review({ object }) {
        ${review ?? "object.metadata.labels = { ...object.metadata.labels, painted: 'yes' }"}
      },
    })
  },
})

export const conformance = {
  samples: {
    'toys.toys.test': {
      valid: () => ({ spec: { color: 'red' } }),
      invalid: { 'no color': toy => void (toy.spec = { color: 'none' }) },
      update: toy => void (toy.spec = { color: 'blue' }),
    },
  },
}
`

async function failures(parts: Parts): Promise<string[]> {
  const { path, remove } = temporaryFolder()
  try {
    writeFileSync(join(path, 'toys.ts'), source(parts))
    const { results } = await pluginConformance({ plugin: './toys.ts', fromDir: path, isolation: 'worker', samples: 3 })
    assert.ok(results.length > 20)
    return results.flatMap(({ subject, title, outcome }) => (outcome === 'failed' ? [`${subject}: ${title}`] : []))
  } finally {
    remove()
  }
}

kit('a plugin without defects passes', async () => {
  assert.equal(await failures({}), [])
})

const defects: Readonly<Record<string, Parts>> = {
  'validation that accepts an invalid sample': { validate: '[]' },
  'a control that is not idempotent': { review: `object.spec = { color: object.spec?.color + 'ish' }` },
}
for (const [title, parts] of Object.entries(defects))
  kit(`${title} is found`, async () => {
    assert.ok((await failures(parts)).length > 0)
  })

kit.run()
