import {
  Bool,
  Condition,
  embedded,
  field,
  Int64,
  KeyedList,
  Kind,
  kept,
  ListOf,
  Raw,
  required,
  type Static,
  Struct,
  Text,
} from 'orch/sdk'

export const PluginSpec = Struct(
  'plugins.v1alpha1.PluginSpec',
  {
    package: required(
      1,
      Text(),
      'A folder, a file or an archive of npm pack in the plugin folder of the server, such as widgets, widgets/plugin.js or widgets-1.2.3.tgz; or a name and version of npm, such as widgets@1.2.3, that is packed there or in its node_modules.',
    ),
    integrity: field(
      2,
      Text(),
      'What the package must be: sha256- or sha512- and the hash in base64. Status tells that of what is loaded.',
    ),
    options: field(
      3,
      Raw(),
      'Options of the plugin, as in its entry in the config. They are checked against its schema.',
    ),
    enabled: kept(4, Bool({ default: true }), 'Whether the plugin is loaded. True by default.'),
    isolation: field(
      7,
      Text(),
      'Where its code runs: in-process, with everything the server has (the default); worker, a process of its own; wasm, for a WebAssembly module and nothing else. Status tells what it is.',
    ),
    permissions: field(
      8,
      ListOf(Text(), { listType: 'set' }),
      'Permissions that are accepted beside those of the version that is loaded, as status tells them. A version that asks for more is not loaded. When the plugin is loaded first, all are accepted if none are given.',
    ),
    reload: field(5, Text(), 'Any text, such as a time: another one has the package read again.'),
    check: field(
      9,
      Text(),
      'Any text, such as a time: another one has the conformance kit run on the plugin. See the condition Conforming.',
    ),
    signature: field(
      6,
      Text(),
      'The Ed25519 signature of the hash of the package, as text (sha256-...), in base64. Servers with --plugin-signing-keys need it.',
    ),
  },
  { description: 'Which plugin, and with what options.' },
)

export const PluginError = Struct(
  'plugins.v1alpha1.PluginError',
  {
    message: required(1, Text(), 'What went wrong.'),
    stack: field(2, Text(), "Where it went wrong, in the author's own code."),
  },
  { description: 'Why the plugin is not what was asked for.' },
)

export const ServerFailure = Struct(
  'plugins.v1alpha1.ServerFailure',
  {
    name: required(1, Text(), 'The process of a server: the name of its machine and its process id.'),
    observedGeneration: field(2, Int64(), 'The generation that it is about.'),
    message: required(3, Text(), 'What went wrong.'),
    stack: field(4, Text(), "Where it went wrong, in the author's own code."),
    reason: field(
      5,
      Text(),
      'Failed: it could not be loaded. Differs: it is another package. Unhealthy: a check of its own fails.',
    ),
  },
  { description: 'A server in which the plugin is not what was asked for.' },
)
export type ServerFailure = Static<typeof ServerFailure>

export const PluginStatus = Struct(
  'plugins.v1alpha1.PluginStatus',
  {
    observedGeneration: field(1, Int64(), 'The generation that this is the status of.'),
    plugin: field(2, Text(), 'The name of the plugin itself, which its author gave.'),
    version: field(3, Text(), 'The version of its package.'),
    integrity: field(4, Text(), 'The hash of what is loaded.'),
    contributes: field(
      5,
      ListOf(Text(), { listType: 'atomic' }),
      'What it brings: types, controls, loops, routes and so on.',
    ),
    conditions: field(
      6,
      KeyedList(Condition, 'type'),
      'Loaded: something of it serves. Healthy: it is what was asked for, its health checks pass, its loops run. Conforming: the conformance kit found nothing, if it was asked for.',
    ),
    lastError: kept(7, PluginError, 'Why the last change failed, in the first of these servers.'),
    servers: field(
      8,
      KeyedList(ServerFailure, 'name'),
      'Servers in which it is not what was asked for, or not healthy. In all others it is.',
    ),
    isolation: field(9, Text(), 'Where its code runs.'),
    checked: field(11, Text(), 'The check that was made last, or is being made.'),
    permissions: kept(10, ListOf(Text(), { listType: 'atomic' }), 'What it may do, as it was accepted.'),
  },
  { description: 'What came of it in the servers that follow the object.' },
)
export type PluginStatus = Static<typeof PluginStatus>

export const Plugin = Kind(
  'plugins.v1alpha1.Plugin',
  {
    spec: embedded(2, PluginSpec, 'Desired state.'),
    status: embedded(3, PluginStatus, 'Observed state. Written by the system.'),
  },
  { description: 'A plugin that is loaded while the server runs. Who may write it may run code in the server.' },
)
export type Plugin = Static<typeof Plugin>
