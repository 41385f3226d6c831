import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { main as compile } from 'assemblyscript/asc'
import { type ConformanceReport, describeConformance, pluginConformance } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { packageRoot } from '../../kernel/boot/load-module.js'
import { temporaryFolder } from '../support/temporary-folder.js'

/** The kit on WebAssembly modules: the example passes, and defects planted in its source are found. */
const kit = suite('the conformance kit in grade wasm')
const example = join(packageRoot, 'examples/recipes-wasm')

interface Recipe {
  spec: { dish?: string; servings?: number }
}
const samples = {
  'recipes.kitchen.example.com': {
    valid: () => ({ spec: { dish: 'soup' } }),
    update: (recipe: Recipe) => void (recipe.spec.servings = 3),
    invalid: { 'a recipe for nothing': (recipe: Recipe) => void (recipe.spec.dish = '') },
  },
}

/** What the checks whose title has this text find in the example after a change of its source. */
async function run(right: string, wrong: string, only = ''): Promise<ConformanceReport> {
  const folder = temporaryFolder()
  try {
    const { path } = folder
    cpSync(example, path, { recursive: true })
    const source = join(path, 'assembly/index.ts')
    const text = readFileSync(source, 'utf8')
    assert.ok(text.includes(right), `the example has no longer: ${right}`)
    writeFileSync(source, text.replace(right, wrong))
    // In this process, which loads the compiler once.
    const { error, stderr } = await compile([source, '--outFile', join(path, 'recipes.wasm'), '--runtime', 'stub'])
    assert.not.ok(error, `${error}\n${stderr.toString()}`)
    const given = { samples }
    return await pluginConformance({
      plugin: './recipes.wasm',
      fromDir: path,
      isolation: 'wasm',
      given,
      samples: 1,
      only,
    })
  } finally {
    folder.remove()
  }
}

kit('a module without defects passes', async () => {
  const report = await run('many people', 'many people')
  assert.ok(report.results.length > 20)
  assert.is(report.failed, 0, describeConformance(report))
})

/** Each with the check that finds it. */
const defects: Readonly<Record<string, readonly [right: string, wrong: string, check: string]>> = {
  'validation that accepts an invalid sample': [
    "if (spec.get('dish').text == '')",
    "if (spec.get('dish').text == '~')",
    'an invalid object is rejected',
  ],
  'a control that is not idempotent': [
    "if (!spec.get('cook').isNull || cook == '') return reply(verdict)\n",
    "const again = spec.get('cook').text + 'x'\n  spec.set('cook', Json.text(again))\n  if (cook == '') return reply(verdict.set('object', input.get('request').get('object')))\n",
    'an update that changes nothing keeps the version',
  ],
  'defaults that change every time': [
    "if (spec.get('minutes').isNull) spec.set('minutes', Json.integer(spec.get('servings').integer * 5))",
    "spec.set('minutes', Json.integer(spec.get('minutes').integer + 1))",
    'defaulting is idempotent',
  ],
  'a conversion that loses a field': [
    "if (!value.isNull) spec.set(isOld ? 'servings' : 'people', value)",
    '',
    'an object round-trips through the storage version',
  ],
  'a function that never returns': [
    'const errors = Json.list()\n',
    'const errors = Json.list()\n  while (length > 0) length += 2\n',
    'validation never throws',
  ],
  'a function that traps': [
    'const minutes = readInput(address, length)',
    'if (length > 0) unreachable()\n  const minutes = readInput(address, length)',
    'a Table has a row for every object',
  ],
}
for (const [title, [right, wrong, check]] of Object.entries(defects))
  kit(`${title}: found`, async () => {
    assert.ok((await run(right, wrong, check)).failed > 0)
  })

kit('code that is not a WebAssembly module is not run in this grade', async () => {
  const folder = temporaryFolder()
  try {
    folder.write('plugin.mjs', "throw new Error('it ran')")
    const run = pluginConformance({ plugin: './plugin.mjs', fromDir: folder.path, isolation: 'wasm' })
    await run.then(
      () => assert.unreachable('it passed'),
      (error: Error) => assert.match(error.message, /not a WebAssembly module/),
    )
  } finally {
    folder.remove()
  }
})

kit.run()
