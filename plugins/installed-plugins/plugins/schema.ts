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
      'The expected hash of the package: sha256- or sha512- and the hash in base64. Status has the hash of the loaded package.',
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
      'Where its code runs: in-process, with everything the server has (the default); worker, a process of its own; wasm, for a WebAssembly module and nothing else. Status has the effective value.',
    ),
    permissions: field(
      8,
      ListOf(Text(), { listType: 'set' }),
      'Permissions that are accepted in addition to those of the loaded version, which are in status. A version that requests more is not loaded. On the first load, all are accepted if none are given.',
    ),
    reload: field(5, Text(), 'Any text, such as a time. Changing it reads the package again.'),
    check: field(
      9,
      Text(),
      'Any text, such as a time. Changing it runs the conformance kit on the plugin. See the condition Conforming.',
    ),
    signature: field(
      6,
      Text(),
      'The Ed25519 signature of the hash of the package, as text (sha256-...), in base64. Required by servers with --plugin-signing-keys.',
    ),
  },
  { description: 'A plugin and its options.' },
)

export const PluginError = Struct(
  'plugins.v1alpha1.PluginError',
  {
    message: required(1, Text(), 'What went wrong.'),
    stack: field(2, Text(), "Where it went wrong, in the author's own code."),
  },
  { description: 'Why the plugin is not in the requested state.' },
)

export const ServerFailure = Struct(
  'plugins.v1alpha1.ServerFailure',
  {
    name: required(1, Text(), 'The server process: its host name and process ID.'),
    observedGeneration: field(2, Int64(), 'The generation that this refers to.'),
    message: required(3, Text(), 'What went wrong.'),
    stack: field(4, Text(), "Where it went wrong, in the author's own code."),
    reason: field(
      5,
      Text(),
      'Failed: it could not be loaded. Differs: this server has another package. Unhealthy: one of its health checks fails.',
    ),
  },
  { description: 'A server in which the plugin is not in the requested state.' },
)
export type ServerFailure = Static<typeof ServerFailure>

export const PluginStatus = Struct(
  'plugins.v1alpha1.PluginStatus',
  {
    observedGeneration: field(1, Int64(), 'The generation that this status describes.'),
    plugin: field(2, Text(), "The plugin's own name, given by its author."),
    version: field(3, Text(), 'The version of its package.'),
    integrity: field(4, Text(), 'The hash of the loaded package.'),
    contributes: field(
      5,
      ListOf(Text(), { listType: 'atomic' }),
      'What it contributes: types, admission controls, control loops, routes and so on.',
    ),
    conditions: field(
      6,
      KeyedList(Condition, 'type'),
      'Loaded: a version of it is loaded. Healthy: it is the requested one, its health checks pass and its loops run. Conforming: the conformance kit, if requested, found no problems.',
    ),
    lastError: kept(7, PluginError, 'Why the last change failed, in the first of the servers below.'),
    servers: field(
      8,
      KeyedList(ServerFailure, 'name'),
      'Servers in which it is not in the requested state or not healthy; in all others it is.',
    ),
    isolation: field(9, Text(), 'Where its code runs.'),
    checked: field(11, Text(), 'The conformance check that ran last, or is running.'),
    permissions: kept(10, ListOf(Text(), { listType: 'atomic' }), 'The permissions that were accepted.'),
  },
  { description: 'The observed state in the servers.' },
)
export type PluginStatus = Static<typeof PluginStatus>

export const Plugin = Kind(
  'plugins.v1alpha1.Plugin',
  {
    spec: embedded(2, PluginSpec, 'Desired state.'),
    status: embedded(3, PluginStatus, 'Observed state. Written by the system.'),
  },
  { description: 'A plugin that is loaded while the server runs. Anyone who may write it can run code in the server.' },
)
export type Plugin = Static<typeof Plugin>
