import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ApiError, ApiObject } from 'orch/sdk'
import { describeConformance, pluginConformance, startServer } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'

const example = suite('a plugin in AssemblyScript')
// Tests run from the compiled folder, which has no sources of other languages.
const here = join(process.cwd(), 'examples', 'recipes-wasm')
const compiler = join(process.cwd(), 'node_modules', 'assemblyscript', 'bin', 'asc.js')

interface Installed extends ApiObject {
  status?: { conditions?: { type: string; status: string; message: string }[] }
}
interface Recipe extends ApiObject {
  spec: { dish?: string; cook?: string; servings?: number; people?: number; minutes?: number }
}
const refusal = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'accepted',
    ({ code, message }: ApiError) => `${code} ${message}`,
  )

const folder = mkdtempSync(join(tmpdir(), 'orch-recipes-'))
const compiled = join(folder, 'recipes', 'recipes.wasm')
example.before(() => {
  mkdirSync(join(folder, 'recipes'))
  cpSync(join(here, 'package.json'), join(folder, 'recipes', 'package.json'))
  const flags = ['assembly/index.ts', '--outFile', compiled, '--runtime', 'stub']
  execFileSync(process.execPath, [compiler, ...flags], { cwd: here })
})
example.after(() => rmSync(folder, { recursive: true }))

example('passes the conformance kit, like plugins in TypeScript', async () => {
  const valid = () => ({ spec: { dish: 'soup' } })
  const update = (recipe: Recipe) => void (recipe.spec.servings = 3)
  const invalid = { 'a recipe without a dish': (recipe: Recipe) => void (recipe.spec.dish = '') }
  const samples = { 'recipes.kitchen.example.com': { valid, update, invalid } }
  const report = await pluginConformance({ plugin: compiled, given: { samples }, samples: 5 })
  assert.is(report.failed, 0, describeConformance(report))
  assert.ok(report.passed > 50, describeConformance(report))
})

example('is installed into a running server, and defaults, validates and converts its type', async () => {
  const names = ['namespaces', 'configuration', 'authentication', 'authorization', 'installed-plugins']
  const server = await startServer({
    plugins: names.map(name => `orch/plugins/${name}`),
    options: { pluginFolder: folder },
  })
  try {
    const { client } = server
    const plugins = client.resource<Installed>({ group: 'plugins.orch.io', version: 'v1alpha1', resource: 'plugins' })
    const spec = { package: 'recipes', options: { defaultCook: 'Ada' } }
    await plugins.create({ metadata: { name: 'recipes' }, spec })
    const { status } = await plugins.waitFor('recipes', each => each.status?.conditions !== undefined)
    const conditions = status?.conditions?.map(({ type, status: value, message }) => ({ type, value, message }))
    assert.equal(conditions?.[0], { type: 'Loaded', value: 'True', message: 'Plugin "recipes" is loaded.' })

    const recipes = client
      .resource<Recipe>({ group: 'kitchen.example.com', version: 'v1', resource: 'recipes' })
      .in('default')
    const made = await recipes.create({ metadata: { name: 'soup' }, spec: { dish: 'Süppchen „à la maison“ 🍲' } })
    assert.equal(made.spec, { dish: 'Süppchen „à la maison“ 🍲', cook: 'Ada', servings: 2, minutes: 10 })

    const unnamed = recipes.create({ metadata: { name: 'nothing' }, spec: {} })
    assert.match(await refusal(unnamed), /^422 .*spec\.dish: Required value: a recipe must name its dish/)
    const changed = recipes.patch('soup', { spec: { dish: 'cake' } })
    assert.match(await refusal(changed), /^422 .*spec\.dish: Forbidden: the dish of a recipe cannot be changed/)
    const banquet = recipes.create({ metadata: { name: 'banquet' }, spec: { dish: 'rice', servings: 100, minutes: 5 } })
    assert.match(await refusal(banquet), /^403 .*nobody cooks for 100 people in 10 minutes/)

    const older = client.resource<Recipe>({ group: 'kitchen.example.com', version: 'v1beta1', resource: 'recipes' })
    assert.equal((await older.in('default').get('soup')).spec.people, 2)
    const sent = await older.in('default').create({ metadata: { name: 'pie' }, spec: { dish: 'pie', people: 8 } })
    assert.equal(sent.spec, { dish: 'pie', cook: 'Ada', people: 8, minutes: 40 })

    const table = await fetch(`${server.baseUrl}/apis/kitchen.example.com/v1/namespaces/default/recipes`, {
      headers: { accept: 'application/json;as=Table;v=v1;g=meta.orch.io', authorization: `Bearer ${server.token}` },
    })
    const { rows } = (await table.json()) as { rows: { cells: unknown[] }[] }
    assert.equal(
      rows.map(({ cells }) => cells.slice(0, 3)),
      [
        ['pie', 'pie', 'slow'],
        ['soup', 'Süppchen „à la maison“ 🍲', 'quick'],
      ],
    )
  } finally {
    await server.stop()
  }
})

example.run()
