import { StringDecoder } from 'node:string_decoder'
import type { Call, Command } from '../../command.js'
import { exitCodes } from '../../exit-codes.js'
import { UsageError } from '../../usage-error.js'
import { describe } from '../describe.js'
import { get } from '../get.js'
import {
  oneName,
  optionsOf,
  type PluginObject,
  type PluginSpec,
  pluginObjects,
  reportOutcome,
} from './plugin-objects.js'

const timeout: Command['flags'][number] = {
  name: 'timeout',
  kind: 'text',
  value: 'DURATION',
  description: 'how long to wait for the server; 30s by default',
}
const packageFlags: Command['flags'] = [
  {
    name: 'package',
    kind: 'text',
    value: 'PATH',
    description: 'a folder, a file or an archive in the plugin folder of the server, or NAME@VERSION of npm',
  },
  {
    name: 'integrity',
    kind: 'text',
    value: 'HASH',
    description: 'the expected hash of the package: sha256-... or sha512-...',
  },
  { name: 'signature', kind: 'text', value: 'BASE64', description: 'the Ed25519 signature of the hash of the package' },
  {
    name: 'isolation',
    kind: 'text',
    value: 'GRADE',
    description: 'where its code runs: in-process, worker (a separate process) or wasm',
  },
  {
    name: 'accept-permission',
    kind: 'list',
    value: 'TEXT',
    description: 'a permission to grant to the plugin, as the server names it',
  },
  { name: 'option', kind: 'list', value: 'NAME=VALUE', description: 'an option of the plugin' },
  timeout,
]

/** The values of the flags. */
function specFromFlags(call: Call): PluginSpec {
  const [path, integrity, signature] = ['package', 'integrity', 'signature'].map(name => call.flags.text(name))
  const isolation = call.flags.text('isolation')
  const permissions = call.flags.list('accept-permission')
  const options = optionsOf(call)
  return {
    ...(path === undefined ? {} : { package: path }),
    ...(integrity === undefined ? {} : { integrity }),
    ...(signature === undefined ? {} : { signature }),
    ...(isolation === undefined ? {} : { isolation }),
    ...(permissions.length === 0 ? {} : { permissions }),
    ...(options === undefined ? {} : { options }),
  }
}

export const pluginsInstall: Command = {
  name: 'plugins install',
  summary: 'Load a plugin into the running server.',
  usage: 'NAME [--package PATH] [flags]',
  examples: [
    ['The folder "widgets" in the plugin folder of the server', 'plugins install widgets'],
    ['A version of it, with an option', 'plugins install widgets --package widgets-1.2 --option widgetColor=red'],
  ],
  flags: packageFlags,
  completes: 'nothing',
  async run(call) {
    const name = oneName(call)
    const objects = await pluginObjects(call)
    const object: PluginObject = {
      apiVersion: objects.apiVersion,
      kind: 'Plugin',
      metadata: { name },
      spec: { package: name, ...specFromFlags(call) },
    }
    return reportOutcome(call, objects, await objects.plugins.create(object), 'installed')
  },
}

export const pluginsUpgrade: Command = {
  name: 'plugins upgrade',
  summary: 'Replace a plugin of the running server. If that fails, the previous version stays loaded.',
  usage: 'NAME [--package PATH] [flags]',
  examples: [
    ['Another version', 'plugins upgrade widgets --package widgets-1.3'],
    ['Reload it from its folder', 'plugins upgrade widgets'],
    [
      'A version that requests more permissions than the one before',
      'plugins upgrade widgets --package widgets-1.4 --accept-permission "environment HOME"',
    ],
  ],
  flags: packageFlags,
  completes: 'nothing',
  async run(call) {
    const name = oneName(call)
    const objects = await pluginObjects(call)
    const { spec: { enabled: _, reload: __, ...before } = {} } = await objects.plugins.get(name)
    // Hash and signature belong to the package that is replaced.
    const spec = { integrity: null, signature: null, ...specFromFlags(call), reload: new Date().toISOString() }
    const annotations = { [objects.previous]: JSON.stringify(before) }
    return reportOutcome(
      call,
      objects,
      await objects.plugins.patch(name, { metadata: { annotations }, spec }),
      'upgraded',
    )
  },
}

export const pluginsRollback: Command = {
  name: 'plugins rollback',
  summary: 'Roll a plugin back to its version and options before the last upgrade.',
  usage: 'NAME [flags]',
  examples: [['After an upgrade', 'plugins rollback widgets']],
  flags: [timeout],
  completes: 'nothing',
  async run(call) {
    const name = oneName(call)
    const objects = await pluginObjects(call)
    const { metadata } = await objects.plugins.get(name)
    const before = metadata.annotations?.[objects.previous]
    if (before === undefined)
      throw new UsageError(`plugin "${name}" was not upgraded: there is nothing to roll back to`)
    const spec = {
      integrity: null,
      signature: null,
      options: null,
      isolation: null,
      permissions: null,
      ...JSON.parse(before),
      reload: new Date().toISOString(),
    }
    const annotations = { [objects.previous]: null }
    return reportOutcome(
      call,
      objects,
      await objects.plugins.patch(name, { metadata: { annotations }, spec }),
      'rolled back',
    )
  },
}

const switchCommand = (word: 'enable' | 'disable'): Command => ({
  name: `plugins ${word}`,
  summary: word === 'enable' ? 'Load a plugin that was disabled.' : 'Unload a plugin; its objects stay stored.',
  usage: 'NAME [flags]',
  examples: [['By its name in plugins list', `plugins ${word} widgets`]],
  flags: [timeout],
  completes: 'nothing',
  async run(call) {
    const objects = await pluginObjects(call)
    const written = await objects.plugins.patch(oneName(call), { spec: { enabled: word === 'enable' } })
    return reportOutcome(call, objects, written, `${word}d`)
  },
})
export const pluginsEnable = switchCommand('enable')
export const pluginsDisable = switchCommand('disable')

export const pluginsUninstall: Command = {
  name: 'plugins uninstall',
  summary: 'Unload a plugin and remove it. Objects of its types stay stored.',
  usage: 'NAME',
  examples: [['By its name in plugins list', 'plugins uninstall widgets']],
  flags: [],
  completes: 'nothing',
  async run(call) {
    const name = oneName(call)
    await (await pluginObjects(call)).plugins.delete(name)
    call.terminal.write(`plugin/${name} uninstalled\n`)
    return exitCodes.done
  },
}

export const pluginsList: Command = {
  name: 'plugins list',
  summary: 'Show the plugins that were installed into the running server.',
  usage: '[flags]',
  examples: [['As a table', 'plugins list']],
  flags: get.flags,
  completes: 'nothing',
  run: async call => get.run({ ...call, args: [(await pluginObjects(call)).type] }),
}
export const pluginsShow: Command = {
  name: 'plugins show',
  summary: 'Show a plugin: what it contributes, its conditions, its last error.',
  usage: 'NAME',
  examples: [['By its name in plugins list', 'plugins show widgets']],
  flags: describe.flags,
  completes: 'nothing',
  run: async call => describe.run({ ...call, args: [(await pluginObjects(call)).type, oneName(call)] }),
}

export const pluginsCheck: Command = {
  name: 'plugins check',
  summary: 'Run the conformance kit on a plugin of the running server, in a separate process.',
  usage: 'NAME [flags]',
  examples: [['By its name in plugins list', 'plugins check widgets']],
  flags: [{ ...timeout, description: 'how long to wait for the result; 10m by default' }],
  completes: 'nothing',
  async run(call) {
    const name = oneName(call)
    const { plugins } = await pluginObjects(call)
    const { metadata } = await plugins.patch(name, { spec: { check: new Date().toISOString() } })
    const found = ({ status }: PluginObject) =>
      status?.conditions?.find(
        ({ type, reason, observedGeneration = 0 }) =>
          type === 'Conforming' && reason !== 'Checking' && observedGeneration >= (metadata.generation ?? 0),
      )
    const timeoutMs = call.flags.durationMs('timeout') ?? checkTimeoutMs
    const verdict = found(await plugins.waitFor(name, object => found(object) !== undefined, { timeoutMs }))
    if (verdict?.status === 'True') {
      call.terminal.write(`plugin/${name} conforms: ${verdict.message}\n`)
      return exitCodes.done
    }
    call.terminal.log(`error: plugin/${name} does not conform: ${verdict?.message}`)
    return exitCodes.failed
  },
}
const checkTimeoutMs = 10 * 60_000

export const pluginsLogs: Command = {
  name: 'plugins logs',
  summary: 'Show the last lines that a plugin logged, in the server that answers.',
  usage: 'NAME [--tail N]',
  examples: [['The last twenty', 'plugins logs widgets --tail 20']],
  flags: [
    { name: 'tail', kind: 'text', value: 'N', description: 'maximum number of lines; all that are kept by default' },
  ],
  completes: 'nothing',
  async run(call) {
    const name = oneName(call)
    const { apiVersion } = await pluginObjects(call)
    const tail = call.flags.number('tail')
    const path = `/apis/${apiVersion}/plugins/${encodeURIComponent(name)}/log${tail === undefined ? '' : `?tailLines=${tail}`}`
    const session = await call.session()
    const decoder = new StringDecoder('utf8')
    for await (const chunk of session.stream(path, call.terminal.signal)) call.terminal.write(decoder.write(chunk))
    return exitCodes.done
  },
}
