import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ConformanceReport, describeConformance, pluginConformance } from 'orch/sdk/testing'
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

/** What the checks whose title has this text find in a plugin of these parts. */
async function run(parts: Parts, only = ''): Promise<ConformanceReport> {
  const { path, remove } = temporaryFolder()
  try {
    writeFileSync(join(path, 'toys.ts'), source(parts))
    return await pluginConformance({ plugin: './toys.ts', fromDir: path, isolation: 'worker', samples: 3, only })
  } finally {
    remove()
  }
}

kit('a plugin without defects passes', async () => {
  const report = await run({})
  assert.ok(report.results.length > 20)
  assert.is(report.failed, 0, describeConformance(report))
})

/** Each with the check that finds it. */
const defects: Readonly<Record<string, readonly [parts: Parts, check: string]>> = {
  'validation that accepts an invalid sample': [{ validate: '[]' }, 'an invalid object is rejected'],
  'a control that is not idempotent': [
    { review: `object.spec = { color: object.spec?.color + 'ish' }` },
    'apply creates, owns, conflicts',
  ],
}
for (const [title, [parts, check]] of Object.entries(defects))
  kit(`${title} is found`, async () => {
    assert.ok((await run(parts, check)).failed > 0)
  })

kit.run()
