import { execFileSync } from 'node:child_process'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pluginConformance } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { packageRoot } from '../../kernel/boot/load-module.js'
import { temporaryFolder } from '../support/temporary-folder.js'

/** The kit on WebAssembly modules: the example passes, and defects planted in its source are found. */
const kit = suite('the conformance kit in grade wasm')
const example = join(packageRoot, 'examples/recipes-wasm')
const compiler = join(packageRoot, 'node_modules/assemblyscript/bin/asc.js')

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

/** The failures that the kit finds in the example after a change of its source. */
async function failures(right: string, wrong: string): Promise<string[]> {
  const folder = temporaryFolder()
  try {
    const { path } = folder
    cpSync(example, path, { recursive: true })
    const source = join(path, 'assembly/index.ts')
    const text = readFileSync(source, 'utf8')
    assert.ok(text.includes(right), `the example has no longer: ${right}`)
    writeFileSync(source, text.replace(right, wrong))
    execFileSync(process.execPath, [compiler, source, '--outFile', join(path, 'recipes.wasm'), '--runtime', 'stub'])
    const given = { samples }
    const { results } = await pluginConformance({
      plugin: './recipes.wasm',
      fromDir: path,
      isolation: 'wasm',
      given,
      samples: 1,
    })
    assert.ok(results.length > 20)
    return results.flatMap(({ subject, title, outcome }) => (outcome === 'failed' ? [`${subject}: ${title}`] : []))
  } finally {
    folder.remove()
  }
}

kit('a module without defects passes', async () => {
  assert.equal(await failures('many people', 'many people'), [])
})

const defects: Readonly<Record<string, readonly [right: string, wrong: string]>> = {
  'validation that accepts an invalid sample': [
    "if (spec.get('dish').text == '')",
    "if (spec.get('dish').text == '~')",
  ],
  'a control that is not idempotent': [
    "if (!spec.get('cook').isNull || cook == '') return reply(verdict)\n",
    "const again = spec.get('cook').text + 'x'\n  spec.set('cook', Json.text(again))\n  if (cook == '') return reply(verdict.set('object', input.get('request').get('object')))\n",
  ],
  'defaults that change every time': [
    "if (spec.get('minutes').isNull) spec.set('minutes', Json.integer(spec.get('servings').integer * 5))",
    "spec.set('minutes', Json.integer(spec.get('minutes').integer + 1))",
  ],
  'a conversion that loses a field': ["if (!value.isNull) spec.set(isOld ? 'servings' : 'people', value)", ''],
  'a function that never returns': [
    'const errors = Json.list()\n',
    'const errors = Json.list()\n  while (length > 0) length += 2\n',
  ],
  'a function that traps': [
    'const minutes = asked(address, length)',
    'if (length > 0) unreachable()\n  const minutes = asked(address, length)',
  ],
}
for (const [title, [right, wrong]] of Object.entries(defects))
  kit(`${title}: found`, async () => {
    assert.ok((await failures(right, wrong)).length > 0)
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
