import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { inFolder } from './boot-request.js'
import { runBinary } from './run-binary.js'

const binary = suite('the orch binary')

const sampleConfig = `import { defineAdmission, defineConfig, definePlugin, Kind, Type } from 'orch/sdk'
const control = (name, phase, enabledByDefault = true) =>
  defineAdmission()({ name, phase, sideEffects: 'none', enabledByDefault, review() {} })
export const base = definePlugin({
  name: 'base',
  register(to) {
    to.resource({ group: 'acme.test', kind: 'Widget', resource: 'widgets', namespaced: true, versions: [{ name: 'v1', schema: Kind('acme.v1.Widget', {}) }] })
    to.command({ name: 'greet', summary: 'Says hello.', async run(argv, io) { io.out('hello ' + argv.join(' ') + '\\n'); return 7 } })
  },
})
export const sample = definePlugin({
  name: 'sample',
  requires: ['base'],
  options: Type.Object({ pendingHours: Type.Integer({ minimum: 1, default: 24, description: 'Hours to wait.' }) }),
  register(to) {
    to.admission(control('SampleCheck', 'validate'), control('SampleOptional', 'mutate', false))
    to.controller({ name: 'sample-loop', enabledByDefault: false, start: () => async () => {} })
    to.route({ path: '/sample', handle() {} })
  },
})
export default defineConfig({ plugins: [sample, base] })`
const inSample = (use: (dir: string) => Promise<void>) => inFolder({ 'orch.config.mjs': sampleConfig }, use)

binary('shows what each plugin contributes and the final admission chain', () =>
  inSample(async dir => {
    const { code, out, err } = await runBinary(dir, 'plugins', '--enable-admission-plugins=SampleOptional')
    assert.is(err, '')
    assert.is(code, 0)
    assert.match(out, /2 plugins, 1 resource types, vendor orch/)
    assert.ok(out.indexOf('\nbase\n') < out.indexOf('\nsample\n'), 'required plugins come first')
    assert.match(out, /resources +widgets\.acme\.test \(v1\)/)
    assert.match(out, /controllers +sample-loop \(off\)/)
    assert.match(out, /flags +--pending-hours/)
    assert.match(out, /admission chain\n +1\. \w+ \([a-z]+; sample\)\n +2\. \w+ \([a-z]+; sample\)\n$/)
  }),
)

binary('omits disabled controls from the chain', () =>
  inSample(async dir => {
    const { out } = await runBinary(dir, 'plugins', '--disable-admission-plugins=SampleCheck')
    assert.match(out, /admission +SampleCheck \(off\), SampleOptional \(off\)/)
    assert.match(out, /admission chain\n +\(empty\)/)
  }),
)

binary('lists flags by plugin, with defaults and descriptions', () =>
  inSample(async dir => {
    const { code, out } = await runBinary(dir, 'plugins', '--help')
    assert.is(code, 0)
    assert.match(out, /\nkernel\n[\s\S]*--secure-port integer +Port to listen on.*\(default 6443\)/)
    assert.match(out, /\nsample\n {2}--pending-hours integer +Hours to wait\. \(default 24\)/)
  }),
)

binary('runs a command of a plugin, with its arguments and exit code', () =>
  inSample(async dir => {
    assert.equal(await runBinary(dir, 'greet', 'big', '--world'), { code: 7, out: 'hello big --world\n', err: '' })
  }),
)

const refusals: Record<string, { words: string[]; line: RegExp }> = {
  'an unknown flag': {
    words: ['plugins', '--pending-hour=3'],
    line: /Unknown flag --pending-hour, did you mean --pending-hours\?/,
  },
  'a bad value': {
    words: ['plugins', '--secure-port=web'],
    line: /--secure-port does not accept "web": expected an integer between 0 and 65535/,
  },
  'a value out of range': {
    words: ['plugins', '--pending-hours=0'],
    line: /--pending-hours does not accept "0": expected an integer of at least 1/,
  },
  'an unknown vendor': { words: ['plugins', '--vendor=nobody'], line: /no vendor profile "nobody"/ },
  'a missing config': { words: ['plugins', '--config=nope.ts'], line: /"nope\.ts" does not exist/ },
  'an unknown command': { words: ['plugin'], line: /no command "plugin", did you mean "plugins"\?/ },
  'a flag in place of the command': { words: ['--secure-port=0'], line: /a command must come before flags/ },
}
for (const [what, { words, line }] of Object.entries(refusals)) {
  binary(`stops at ${what} with one line and exit code 2`, () =>
    inSample(async dir => {
      const { code, out, err } = await runBinary(dir, ...words)
      assert.is(code, 2)
      assert.is(out, '')
      assert.match(err, line)
      assert.is(err.trimEnd().split('\n').length, 1, err)
    }),
  )
}

binary('prints one line per problem and exits with 1 when plugins conflict', () =>
  inFolder(
    {
      'orch.config.mjs': `import { definePlugin } from 'orch/sdk'
const plugin = (name, more) => definePlugin({ name, register() {}, ...more })
export default { plugins: [plugin('needy', { requires: ['ghost'] }), plugin('future', { sdk: '^99.0.0' })] }`,
    },
    async dir => {
      const { code, err } = await runBinary(dir, 'plugins')
      assert.is(code, 1)
      const lines = err.trimEnd().split('\n')
      assert.is(lines.length, 2)
      assert.match(lines[0] ?? '', /"future".*ORCH_PLUGIN_SDK_RANGE/)
      assert.match(lines[1] ?? '', /"needy".*ORCH_PLUGIN_REQUIREMENT_MISSING/)
    },
  ),
)

binary('works in a folder without any configuration', () =>
  inFolder({}, async dir => {
    const { code, err } = await runBinary(dir, 'plugins')
    assert.is(err, '')
    assert.is(code, 0)
  }),
)

binary('has the commands of its own plugins whatever the config lists, also when it cannot be loaded', () =>
  inFolder({ 'orch.config.mjs': 'oops(' }, async dir => {
    const help = await runBinary(dir, 'help')
    for (const name of ['serve', 'certs', 'storage', 'new', 'conformance'])
      assert.match(help.out, new RegExp(`^  ${name} +\\w`, 'm'))
    assert.match((await runBinary(dir, 'help', 'storage')).out, /^Usage: orch storage stats\|verify/)
    const made = await runBinary(dir, 'new', 'plugin', 'gnomes')
    assert.equal([made.code, made.err], [0, ''])
    assert.is((await runBinary(dir, 'plugins')).code, 2)
    const tried = await runBinary(dir, 'conformance', 'orch/plugins/authoring', '--samples=1')
    assert.equal([tried.code, tried.err], [0, ''], tried.out)
  }),
)

const taking = (name: string) => `import { definePlugin } from 'orch/sdk'
export default { plugins: [definePlugin({ name: 'greedy', register: to => to.command({ name: '${name}', run: async () => 0 }) })] }`
binary(
  'reports a plugin that uses the name of one of these commands; listing the plugin itself is harmless',
  async () => {
    await inFolder({ 'orch.config.mjs': taking('storage') }, async dir => {
      const { code, err } = await runBinary(dir, 'plugins')
      assert.is(code, 1)
      assert.match(err, /"greedy".*"storage".*storage-tools.*ORCH_COMMAND_DUPLICATE/)
    })
    const listed = `import { storageTools } from 'orch/plugins/storage-tools'
export default { plugins: [storageTools] }`
    await inFolder({ 'orch.config.mjs': listed }, async dir => assert.is((await runBinary(dir, 'plugins')).code, 0))
  },
)

binary('shows help and its version', () =>
  inFolder({}, async dir => {
    for (const words of [[], ['help'], ['--help'], ['-h']]) {
      const { code, out } = await runBinary(dir, ...words)
      assert.is(code, 0)
      assert.match(out, /^Usage: orch <command>/)
    }
    assert.match((await runBinary(dir, 'version')).out, /^orch \d+\.\d+\.\d+ \(sdk \d+\.\d+\.\d+/)
  }),
)

binary('explains a command with help COMMAND, also one of a plugin', () =>
  inSample(async dir => {
    const plugins = await runBinary(dir, 'help', 'plugins')
    assert.match(plugins.out, /^Usage: orch plugins[\s\S]*--pending-hours/)
    assert.equal(plugins, await runBinary(dir, 'plugins', '--help'))
    assert.equal(await runBinary(dir, 'help', 'greet'), {
      code: 0,
      out: 'Usage: orch greet ...\n\nSays hello. A command of plugin "base".\n',
      err: '',
    })
    const unknown = await runBinary(dir, 'help', 'gret')
    assert.equal([unknown.code, unknown.out], [2, ''])
    assert.match(unknown.err, /no command "gret", did you mean "greet"\?/)
  }),
)

binary('prints lines of at most 100 columns', () =>
  inFolder({}, async dir => {
    const commands = ['serve', 'controllers', 'plugins', 'storage', 'new', 'conformance', 'version']
    for (const words of [['help'], ['plugins'], ...commands.map(name => ['help', name])]) {
      const { code, out } = await runBinary(dir, ...words)
      assert.is(code, 0, words.join(' '))
      assert.equal(
        out.split('\n').filter(line => line.length > 100),
        [],
      )
    }
  }),
)
binary.run()
