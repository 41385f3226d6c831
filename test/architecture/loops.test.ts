import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Value } from '@sinclair/typebox/value'
import { kubernetesProfile, type Needs, type Plugin, type Registrar, services, Type, Vendor } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { root, sources } from './sources.js'

/**
 * Every loop has more permissions than the users whose objects it reads. docs/security.md lists for each of them which names users
 * choose and what prevents them from choosing the name of another object, and the test that proves it. A loop without a row is incomplete.
 */
const loops = suite('the table of loops in docs/security.md')

const folder = join(root, 'plugins')
const plugins = readdirSync(folder).filter(name => existsSync(join(folder, name, 'plugin.ts')))
/** Options under which a plugin registers every loop that it has. */
const allOn: Readonly<Record<string, unknown>> = {
  backupInterval: '1h',
  simulateNodes: 1,
  enablePriorityAndFairness: true,
}

interface Registered {
  readonly name: string
  readonly needs?: Needs
}
interface Contents {
  readonly controllers: readonly Registered[]
  readonly tasks: readonly Registered[]
  readonly services: readonly { readonly token: unknown; readonly needs?: Needs }[]
}
/** What a plugin contributes, without starting anything: registration is declarative. */
async function contentsOf(plugin: string): Promise<Contents> {
  const module: Record<string, unknown> = await import(join(root, 'dist/plugins', plugin, 'plugin.js'))
  const found = Object.values(module).find(
    (value): value is Plugin => typeof value === 'function' && 'definition' in value,
  )
  assert.ok(found, `plugins/${plugin}/plugin.ts exports no plugin`)
  const lists: Record<string, unknown[]> = { controller: [], onStart: [], service: [] }
  const registrar = new Proxy({} as Registrar, {
    get:
      (_, method) =>
      (...definitions: unknown[]) =>
        lists[String(method)]?.push(...definitions),
  })
  const schema = found.definition.options ?? Type.Object({})
  const options = { ...(Value.Default(schema, {}) as Record<string, unknown>), ...allOn }
  found.definition.register(registrar, { vendor: new Vendor(kubernetesProfile), options, isEnabled: () => true })
  return {
    controllers: lists['controller'],
    tasks: lists['onStart'],
    services: lists['service'],
  } as unknown as Contents
}

/** The rows, by the names in their first cell: the last cell has the file of the test and its title. */
function rows(): Map<string, { file: string; title: string }> {
  const text = readFileSync(join(root, 'docs/security.md'), 'utf8')
  const section = text.slice(text.indexOf('\n## Loops'))
  const found = new Map<string, { file: string; title: string }>()
  for (const line of section.split('\n').filter(each => each.startsWith('| `'))) {
    const cells = line.split('|').map(cell => cell.trim())
    const [, file = '', title = ''] = /^`([^`]+)`: (.+)$/.exec(cells.at(-2) ?? '') ?? []
    for (const [, name = ''] of (cells[1] ?? '').matchAll(/`([^`]+)`/g)) found.set(name, { file, title })
  }
  return found
}

const brought = new Map<string, Contents>()
for (const plugin of plugins) brought.set(plugin, await contentsOf(plugin))
const offered = new Map([...brought.values()].flatMap(each => each.services).map(({ token, needs }) => [token, needs]))
const writing: readonly unknown[] = [services.client, services.describedObjects, services.servedStore]
/** Whether it can write to the API or to the store, directly or through a service of a plugin. */
const canWrite = (needs: Needs = {}): boolean =>
  Object.values(needs).some(token => writing.includes(token) || canWrite(offered.get(token)))
const registered = new Map(
  [...brought].map(([plugin, { controllers, tasks }]) => [
    plugin,
    [...controllers, ...tasks.filter(({ needs }) => canWrite(needs))].map(({ name }) => name),
  ]),
)
const controllerCount = [...brought.values()].reduce((sum, { controllers }) => sum + controllers.length, 0)

loops('has every control loop and every start task that can write', () => {
  const table = rows()
  const missing = [...registered].flatMap(([plugin, names]) =>
    names.filter(name => !table.has(name)).map(name => `${plugin}: ${name}`),
  )
  assert.equal(missing, [])
  const known = new Set([...registered.values()].flat())
  assert.equal(
    [...table.keys()].filter(name => !known.has(name)),
    [],
    'rows of loops that do not exist',
  )
})

loops('includes loops that only some options register', () => {
  const declared = sources('plugins').filter(
    ({ path }) => !path.endsWith('.test.ts') && !path.startsWith('plugins/authoring/'),
  )
  const count = declared.reduce(
    (sum, { text }) => sum + [...text.matchAll(/\b(?:defineController|defineControlLoop)\(\{/g)].length,
    0,
  )
  assert.is(controllerCount, count, 'registered and declared loops')
})

loops('names an existing test for each', () => {
  const wrong = [...rows()].flatMap(([name, { file, title }]) => {
    const path = join(root, file)
    if (file === '' || !existsSync(path)) return [`${name}: no test ${file}`]
    return title !== '' && readFileSync(path, 'utf8').includes(title) ? [] : [`${name}: ${file} has no test "${title}"`]
  })
  assert.equal(wrong, [])
})

loops.run()
