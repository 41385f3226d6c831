import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { eventually } from '../support/eventually.js'
import { bundledProgram } from '../support/orch-program.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { adminGet } from './admin-get.js'
import { runProgram, serveProgram } from './run-binary.js'

/** The errors that a plugin author sees, with the binary as npm installs it. */
const root = fileURLToPath(new URL('../../..', import.meta.url))

async function inProject(files: Record<string, string>, use: (folder: string) => Promise<void>): Promise<void> {
  const folder = temporaryFolder()
  try {
    const all = { 'package.json': '{ "type": "module" }', ...files }
    for (const [name, text] of Object.entries(all)) {
      mkdirSync(dirname(join(folder.path, name)), { recursive: true })
      writeFileSync(join(folder.path, name), text)
    }
    mkdirSync(join(folder.path, 'node_modules'), { recursive: true })
    symlinkSync(root, join(folder.path, 'node_modules/orch'))
    await use(folder.path)
  } finally {
    folder.remove()
  }
}
const naming = (file: string) => `export default { plugins: ['./${file}'] }`
const plugin = (body: string) => `import { definePlugin } from 'orch/sdk'
export default definePlugin({
  name: 'broken',
  register() {
    ${body}
  },
})`

interface Case {
  readonly files: Record<string, string>
  readonly code: string
  /** Text that the output must contain in addition to the code. */
  readonly says: RegExp
}
const cases: Record<string, Case> = {
  'a throw in register, in TypeScript': {
    files: { 'orch.config.js': naming('a.ts'), 'a.ts': plugin("const x: string = 'boom'\n    throw new Error(x)") },
    code: 'ORCH_PLUGIN_REGISTER_FAILED',
    says: /boom.*\n +at .*\/a\.ts:6:\d+/,
  },
  'a throw in register, in JavaScript': {
    files: { 'orch.config.js': naming('a.js'), 'a.js': plugin("throw new Error('boom')") },
    code: 'ORCH_PLUGIN_REGISTER_FAILED',
    says: /boom.*\n +at .*\/a\.js:5:\d+/,
  },
  'a throw in register, in JavaScript that was compiled with a source map': {
    files: {
      'orch.config.js': naming('dist/a.js'),
      // Line 5 of a.js is line 3 of a.ts.
      'dist/a.js': `${plugin("throw new Error('boom')")}\n//# sourceMappingURL=a.js.map\n`,
      'dist/a.js.map': JSON.stringify({ version: 3, sources: ['../src/a.ts'], names: [], mappings: ';;;;IAEA' }),
      'src/a.ts': '\n\nthrow\n',
    },
    code: 'ORCH_PLUGIN_REGISTER_FAILED',
    says: /boom.*\n +at .*\/src\/a\.ts:3:\d+/,
  },
  'a syntax error in TypeScript': {
    files: { 'orch.config.js': naming('a.ts'), 'a.ts': plugin('let x: string = = 3') },
    code: 'ORCH_PLUGIN_LOAD_FAILED',
    says: /Unexpected token.* at .*\/a\.ts:5:\d+/,
  },
  'a syntax error in a module that a plugin imports': {
    files: {
      'orch.config.js': naming('a.js'),
      'a.js': `import './deeper.js'\n${plugin('')}`,
      'deeper.js': 'export const a = 1\nlet x = = 3\n',
    },
    code: 'ORCH_PLUGIN_LOAD_FAILED',
    says: /Unexpected token.* at .*\/deeper\.js:2\b/,
  },
  'a syntax error in CommonJS': {
    files: { 'orch.config.js': naming('a.cjs'), 'a.cjs': 'const a = 1\nlet x = = 3\n' },
    code: 'ORCH_PLUGIN_LOAD_FAILED',
    says: /Unexpected token.* at .*\/a\.cjs:2\b/,
  },
  'an import that throws': {
    files: {
      'orch.config.js': naming('a.ts'),
      'a.ts': `import './deeper.js'\n${plugin('')}`,
      'deeper.ts': 'const table: Record<string, string> = {}\n\nexport const a = table.b!.length\n',
    },
    code: 'ORCH_PLUGIN_LOAD_FAILED',
    says: /Cannot read properties of undefined.*\n +at .*\/deeper\.ts:3:\d+/,
  },
  'a dependency of a plugin that is not installed': {
    files: { 'orch.config.js': naming('a.js'), 'a.js': `import 'not-installed'\n${plugin('')}` },
    code: 'ORCH_PLUGIN_LOAD_FAILED',
    says: /Cannot find package 'not-installed' imported from .*\/a\.js/,
  },
  'a name that the sdk does not have': {
    files: { 'orch.config.js': naming('a.js'), 'a.js': `import { noSuchName } from 'orch/sdk'\n${plugin('')}` },
    code: 'ORCH_PLUGIN_LOAD_FAILED',
    says: /noSuchName.* at .*\/a\.js:1\b/,
  },
  'a syntax error in the config': {
    files: { 'orch.config.ts': 'export default {\n  plugins: [,\n}' },
    code: 'ORCH_CONFIG_LOAD_FAILED',
    says: / at .*\/orch\.config\.ts:3:\d+/,
  },
  'a config that throws': {
    files: { 'orch.config.js': "\nthrow new Error('no such thing')" },
    code: 'ORCH_CONFIG_LOAD_FAILED',
    says: /no such thing.*\n +at .*\/orch\.config\.js:2:\d+/,
  },
  'a missing file': {
    files: { 'orch.config.js': naming('nowhere.ts') },
    code: 'ORCH_PLUGIN_NOT_FOUND',
    says: /there is no file .*\/nowhere\.ts\./,
  },
  'a missing package': {
    files: { 'orch.config.js': "export default { plugins: ['not-installed'] }" },
    code: 'ORCH_PLUGIN_NOT_FOUND',
    says: /no such package is installed in .*Install the package/,
  },
}

const failures = suite('failures of plugins')

for (const [title, { files, code, says }] of Object.entries(cases)) {
  failures(`name the location: ${title}`, () =>
    inProject(files, async folder => {
      const { err } = await runProgram(bundledProgram, folder, 'plugins')
      assert.ok(err.includes(code), err)
      assert.match(err, says)
      if (code !== 'ORCH_PLUGIN_NOT_FOUND') assert.not.match(err, /Install the package/)
      // Only the location of the error, without frames of this program.
      assert.not.match(err, /program\.cjs|node:internal|jiti/)
    }),
  )
}

const atRunTime = `import { defineAdmission, defineController, definePlugin, services } from 'orch/sdk'; import { startControlLoop } from 'orch/sdk/controllers'

const fail = (what: string): never => {
  throw new Error('broken ' + what)
}
const runtime = { client: services.client, clock: services.clock, logger: services.logger, metrics: services.metrics }
const namespaces = { group: '', version: 'v1', resource: 'namespaces' }
export default definePlugin({
  name: 'broken',
  register(to) {
    to.admission(defineAdmission()({ name: 'Broken', phase: 'validate', sideEffects: 'none', matches: { resource: 'configmaps' }, review() {
      fail('control')
    } }))
    to.route({ path: '/broken', handle: () =>
      fail('route') })
    to.healthCheck({ name: 'broken', endpoints: ['livez'], check: () =>
      fail('check') })
    to.controller(defineController({ name: 'broken', needs: runtime, start: given => startControlLoop({ ...given, name: 'broken', sources: [{ resource: namespaces }], async reconcile() {
      fail('reconcile')
    } }) }))
    to.onStart({ name: 'write', needs: { client: services.client }, async run({ client }) {
      await client.resource({ group: '', version: 'v1', resource: 'configmaps' }).in('default').create({ metadata: { name: 'a' } }).catch(() => {})
      return async () => {
        fail('stop')
      }
    } })
  },
})`
const runTimeConfig = `import { authentication } from 'orch/plugins/authentication'
import { authorization } from 'orch/plugins/authorization'
import { configuration } from 'orch/plugins/configuration'
import { namespaces } from 'orch/plugins/namespaces'
export default { securePort: 0, plugins: [namespaces, configuration, authentication, authorization, './a.ts'] }`
const placesAtRunTime = { control: 12, route: 15, check: 17, reconcile: 19, stop: 24 }

failures('of a running server are logged with the location', () =>
  inProject({ 'orch.config.ts': runTimeConfig, 'a.ts': atRunTime }, async folder => {
    const server = await serveProgram(bundledProgram, folder)
    const lineOf = (what: string) =>
      server
        .err()
        .split('\n')
        .find(line => line.includes(`broken ${what}`))
    try {
      assert.is((await adminGet(join(folder, 'data/admin.conf'), '/broken')).status, 500)
      for (let i = 0; i < 3; i++) assert.is((await adminGet(join(folder, 'data/admin.conf'), '/livez')).status, 500)
      await eventually('the loop to fail', () => lineOf('reconcile'))
    } finally {
      await server.stop()
    }
    for (const [what, line] of Object.entries(placesAtRunTime))
      assert.match(
        lineOf(what) ?? `there is no log line about ${what}: ${server.err()}`,
        new RegExp(`/a\\.ts:${line}:\\d+`),
      )
    assert.is(server.err().split('a health check fails').length - 1, 1, 'a check that keeps failing is logged once')
  }),
)

failures.run()
