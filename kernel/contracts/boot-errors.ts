/**
 * Everything that can fail a boot: a stable code, its details, and one line that names the plugin and the remedy. Tests
 * assert codes and details; people read the line.
 */
const duplicate =
  (what: string, remedy = 'Disable one of the plugins or rename one of them') =>
  (d: { plugin: string; first: string; name: string }) =>
    d.plugin === d.first
      ? `Plugin "${d.plugin}" registers ${what} "${d.name}" twice. Remove one of the two registrations.`
      : `Plugin "${d.plugin}" registers ${what} "${d.name}", which plugin "${d.first}" already registers. ${remedy}.`

const messages = {
  ORCH_CONFIG_MISSING: (d: { path: string }) =>
    `The config file "${d.path}" does not exist. Check --config, or leave it out to run the default configuration.`,
  ORCH_CONFIG_INVALID: (d: { path: string; why: string }) =>
    `The config file "${d.path}" cannot be used: ${d.why}. It must export defineConfig({ plugins: [...] }) as its default.`,
  ORCH_CONFIG_LOAD_FAILED: (d: { path: string; why: string }) =>
    `The config file "${d.path}" fails to load: ${d.why}. Correct it there.`,
  ORCH_VENDOR_UNKNOWN: (d: { vendor: string; known: readonly string[] }) =>
    `There is no vendor profile "${d.vendor}". Use one of ${d.known.join(', ')}, or define your own profile in the config.`,
  ORCH_VERSION_UNKNOWN: (d: { version: string; oldest: string; newest: string }) =>
    `"${d.version}" is not a version that can be served. Use one from ${d.oldest} to ${d.newest}, such as --kubernetes-version ${d.newest}.`,
  ORCH_VERSION_FIXED: (d: { vendor: string }) =>
    `The vendor "${d.vendor}" follows the specification and has no versions to choose from. Remove the version, or use --vendor kubernetes.`,
  ORCH_VENDOR_INVALID: (d: { missing: readonly string[] }) =>
    `The vendor profile of the config lacks ${d.missing.join(', ')}. Start from a complete one: { ...orchProfile, name, domain }.`,

  ORCH_FLAG_UNKNOWN: (d: { flag: string; suggestion?: string }) =>
    `Unknown flag ${d.flag}${d.suggestion ? `, did you mean ${d.suggestion}?` : '; no enabled plugin declares it.'} See orch serve --help.`,
  ORCH_FLAG_VALUE: (d: { flag: string; value: string; expected: string }) =>
    `Flag ${d.flag} does not accept "${d.value}": expected ${d.expected}.`,
  ORCH_FLAG_WITHOUT_VALUE: (d: { flag: string; expected: string }) =>
    `Flag ${d.flag} needs a value: expected ${d.expected}.`,
  ORCH_ARGUMENT_UNEXPECTED: (d: { argument: string }) =>
    `Unexpected argument "${d.argument}". Flags start with --; see orch help.`,
  ORCH_OPTION_UNKNOWN: (d: { option: string; suggestion?: string }) =>
    `The config key "${d.option}" belongs to no enabled plugin${d.suggestion ? `, did you mean "${d.suggestion}"?` : '. Remove it or enable its plugin.'}`,
  ORCH_OPTION_INVALID: (d: { plugin: string; path: string; why: string }) =>
    `Plugin "${d.plugin}" has an invalid option ${d.path}: ${d.why}. Correct it in the config or on the command line.`,
  ORCH_OPTION_DUPLICATE: (d: { plugin: string; first: string; name: string }) =>
    `Plugin "${d.plugin}" declares the option "${d.name}", which plugin "${d.first}" already owns. Rename one of them.`,

  ORCH_PLUGIN_NOT_FOUND: (d: { plugin: string; why: string }) =>
    `Plugin "${d.plugin}" cannot be found: ${d.why}. Install the package or correct the path in the config.`,
  ORCH_PLUGIN_LOAD_FAILED: (d: { plugin: string; why: string }) =>
    `Plugin "${d.plugin}" fails to load: ${d.why}. Correct it there, or report it to the plugin's author.`,
  ORCH_PLUGIN_INVALID: (d: { plugin: string; why: string }) =>
    `Plugin "${d.plugin}" is not a plugin: ${d.why}. Export what definePlugin({ name, register }) returns.`,
  ORCH_PLUGIN_DUPLICATE: (d: { plugin: string; first: string; second: string }) =>
    `Plugin "${d.plugin}" is listed twice (${d.first}, ${d.second}). Remove one from the config.`,
  ORCH_PLUGIN_PERMISSIONS: (d: { plugin: string; missing: readonly string[] }) =>
    `Plugin "${d.plugin}" asks for permissions that were not accepted: ${d.missing.join(', ')}. Accept them, or use a version that does not need them.`,
  ORCH_PLUGIN_ISOLATION_UNAVAILABLE: (d: { plugin: string }) =>
    `Plugin "${d.plugin}" is to run in a process of its own, which the single executable cannot restrict: that needs Node as a program. Install the package with npm and run that, or compile the plugin to WebAssembly, or remove its isolation if you trust it.`,
  ORCH_PLUGIN_SDK_RANGE: (d: { plugin: string; door: string; range: string; version: string }) =>
    `Plugin "${d.plugin}" was written for ${d.door} ${d.range}, and this is ${d.door} ${d.version}. Install a version of the plugin for ${d.version}.`,
  ORCH_PLUGIN_PROPOSED: (d: { plugin: string; name: string }) =>
    `Plugin "${d.plugin}" uses "${d.name}" of orch/sdk/proposed without declaring it. Add it to its definition, proposed: ['${d.name}'], and expect it to change in any minor version.`,
  ORCH_PLUGIN_PROPOSED_UNKNOWN: (d: { plugin: string; name: string; proposed: readonly string[] }) =>
    `Plugin "${d.plugin}" declares the proposed name "${d.name}", which this sdk does not propose (it proposes ${d.proposed.join(', ')}). The name was settled or dropped: install a version of the plugin for this sdk.`,
  ORCH_PLUGIN_REQUIREMENT_MISSING: (d: { plugin: string; requires: string }) =>
    `Plugin "${d.plugin}" requires plugin "${d.requires}", which is not enabled. Add "${d.requires}" to the config.`,
  ORCH_PLUGIN_REQUIREMENT_CYCLE: (d: { plugin: string; chain: readonly string[] }) =>
    `Plugin "${d.plugin}" requires itself: ${d.chain.join(' -> ')}. Remove one of these requirements.`,
  ORCH_PLUGIN_REGISTER_FAILED: (d: { plugin: string; why: string }) =>
    `Plugin "${d.plugin}" failed to register: ${d.why.replace(/[.?!]$/, '')}. Report it to the plugin's author or disable the plugin.`,
  ORCH_PLUGIN_REGISTER_ASYNC: (d: { plugin: string }) =>
    `Plugin "${d.plugin}" registers asynchronously. Make register synchronous and move the waiting into onStart.`,
  ORCH_PLUGIN_UNKNOWN: (d: { plugin: string }) =>
    `There is no plugin "${d.plugin}" in this server. List its plugins with orch plugins or orchctl plugins list.`,
  ORCH_PLUGIN_LOADED: (d: { plugin: string }) =>
    `Plugin "${d.plugin}" is already loaded. Replace it, or unload it first.`,
  ORCH_PLUGIN_RENAMED: (d: { plugin: string; name: string }) =>
    `Plugin "${d.plugin}" cannot be replaced by plugin "${d.name}". Unload the old one and load the new one.`,
  ORCH_PLUGIN_FIXED: (d: { plugin: string }) =>
    `Plugin "${d.plugin}" is listed in the config of the server and can only be changed there. Edit the config.`,
  ORCH_PLUGIN_IN_USE: (d: { plugin: string; requiredBy: readonly string[] }) =>
    `Plugin "${d.plugin}" is required by ${d.requiredBy.map(name => `"${name}"`).join(', ')}. Unload the plugins that require it first.`,
  ORCH_PLUGIN_NOT_LIVE: (d: { plugin: string; what: string }) =>
    `Plugin "${d.plugin}" brings ${d.what}, which cannot be added or removed while the server runs. List the plugin in the config and restart the server.`,
  ORCH_PLUGIN_HOST_UNAVAILABLE: (d: { plugin: string; why: string }) =>
    `Plugin "${d.plugin}" cannot be added or removed while this server runs: ${d.why}. List the plugin in the config and restart the server.`,
  ORCH_REGISTRY_SEALED: (d: { plugin: string; name: string }) =>
    `Plugin "${d.plugin}" registers ${d.name} after boot. Everything must be registered before register() returns.`,

  ORCH_DEFINITION_INVALID: (d: { plugin: string; place: string; why: string; remedy: string }) =>
    `Plugin "${d.plugin}", ${d.place}: ${d.why}. ${d.remedy}.`,

  ORCH_KIND_DUPLICATE: duplicate('kind'),
  ORCH_RESOURCE_DUPLICATE: duplicate('resource'),
  ORCH_TYPE_SOURCE_DUPLICATE: duplicate('source of types'),
  ORCH_SUBRESOURCE_DUPLICATE: duplicate('subresource'),
  ORCH_ADMISSION_DUPLICATE: duplicate('admission control'),
  ORCH_ADMISSION_PLACE: (d: { plugin: string; name: string; other: string; suggestion: string }) =>
    `Plugin "${d.plugin}" places the admission control "${d.name}" beside "${d.other}", which no plugin registers; did you mean "${d.suggestion}"?`,
  ORCH_ADMISSION_CYCLE: (d: { plugin: string; names: readonly string[] }) =>
    `The admission controls ${d.names.join(', ')} would have to run before themselves. Remove one \`after\` or \`before\`, or decide with --admission-order.`,
  ORCH_AUTHENTICATOR_DUPLICATE: duplicate('authenticator'),
  ORCH_AUTHORIZER_DUPLICATE: duplicate('authorization mode'),
  ORCH_CONTROLLER_DUPLICATE: duplicate('controller'),
  ORCH_STORAGE_DUPLICATE: duplicate('storage engine'),
  ORCH_STORE_LAYER_DUPLICATE: duplicate('layer of the store'),
  ORCH_HEALTH_CHECK_DUPLICATE: duplicate('health check'),
  ORCH_ROUTE_DUPLICATE: duplicate('route'),
  ORCH_COMMAND_DUPLICATE: duplicate('command'),
  ORCH_CONSOLE_PAGE_DUPLICATE: duplicate('console page'),
  ORCH_SERVICE_DUPLICATE: duplicate('service'),

  ORCH_SERVICE_MISSING: (d: { plugin: string; service: string; neededBy: string }) =>
    `Plugin "${d.plugin}" needs service "${d.service}" for ${d.neededBy}, which no enabled plugin provides. Enable a plugin that does.`,
  ORCH_SERVICE_CYCLE: (d: { plugin: string; chain: readonly string[] }) =>
    `Plugin "${d.plugin}" provides a service that needs itself: ${d.chain.join(' -> ')}. Break the cycle in one of these needs.`,

  ORCH_DATA_FOLDER_IN_USE: (d: { why: string }) => `The data folder cannot be used: ${d.why}.`,
  ORCH_DATA_FOLDER_VENDOR: (d: { dataDir: string; vendor: string; owner: string }) =>
    `The data folder "${d.dataDir}" belongs to vendor "${d.owner}", whose names are stored in it, and this is vendor "${d.vendor}". Serve it with --vendor ${d.owner}, or choose another folder with --data-dir.`,
  ORCH_DATA_FOLDER_FORMAT: (d: { dataDir: string; format: number; known: number }) =>
    `The data folder "${d.dataDir}" has format ${d.format}, and this program knows formats up to ${d.known}. Install the version that wrote it, or a later one.`,
  ORCH_DATA_FOLDER_MARKER: (d: { path: string; why: string }) =>
    `The file "${d.path}" cannot be used: ${d.why}. It records the owner of the folder: restore it, or remove it if you are sure of the vendor.`,

  ORCH_PKI_UNUSABLE: (d: { path: string; why: string; remedy: string }) =>
    `The file "${d.path}" cannot be used: ${d.why}. ${d.remedy}.`,
  ORCH_STORE_VENDOR: (d: { vendor: string; owner: string }) =>
    `The store belongs to vendor "${d.owner}", whose names are stored in it, and this is vendor "${d.vendor}". Serve it with --vendor ${d.owner}, or use another store.`,
  ORCH_STORE_FORMAT: (d: { format: number; known: number }) =>
    `The store has format ${d.format}, and this program knows formats up to ${d.known}. Install the version that wrote it, or a later one.`,
  ORCH_STORE_UNFINISHED: (d: { action: string }) =>
    `The store is not complete: orch storage ${d.action} was interrupted. Run it again.`,
  ORCH_STORED_VERSION_UNKNOWN: (d: { plugin: string; resource: string; version: string; count: number }) =>
    `${d.count} objects of ${d.resource} are stored in version ${d.version}, which plugin "${d.plugin}" does not know. Install a version of the plugin that does, run orch storage migrate with it, then this one.`,
  ORCH_SOCKET_COUNT: (d: { count: string }) =>
    `Exactly one socket can be handed over, but LISTEN_FDS is ${d.count}. Keep one ListenStream= in the socket unit.`,

  ORCH_START_FAILED: (d: { plugin: string; task: string; why: string }) =>
    `Plugin "${d.plugin}" failed to start (${d.task}): ${d.why}. Correct its options or disable the plugin.`,
  ORCH_START_TIMEOUT: (d: { plugin: string; task: string; seconds: number }) =>
    `Plugin "${d.plugin}" did not finish starting (${d.task}) within ${d.seconds}s. Disable it or find out what it waits for.`,
}

export type BootCode = keyof typeof messages
export type BootDetails<C extends BootCode> = Parameters<(typeof messages)[C]>[0]

/** One thing that is wrong. */
export interface BootProblem<C extends BootCode = BootCode> {
  readonly code: C
  readonly details: BootDetails<C>
  readonly message: string
  /** The plugin to look at, when the problem has one. */
  readonly plugin: string | undefined
  readonly cause?: unknown
}

export function problem<C extends BootCode>(code: C, details: BootDetails<C>, cause?: unknown): BootProblem<C> {
  const format = messages[code] as (details: BootDetails<C>) => string
  const plugin = (details as { plugin?: string }).plugin
  return { code, details, message: format(details), plugin, ...(cause === undefined ? {} : { cause }) }
}

/** Every code of the catalogue. */
export const bootCodes = Object.keys(messages) as readonly BootCode[]

/** A boot that cannot continue, with all problems that were found, one line each. */
export class BootError extends Error {
  readonly problems: readonly BootProblem[]
  constructor(problems: readonly BootProblem[]) {
    super(problems.map(p => `${p.code}: ${p.message}`).join('\n'), { cause: problems.find(p => p.cause)?.cause })
    this.name = 'BootError'
    this.problems = problems
  }

  /** 2 for a mistake of the operator (a flag, a config key), 1 for everything else. */
  get exitCode(): 1 | 2 {
    return this.problems.some(p => /^ORCH_(FLAG|ARGUMENT|OPTION|CONFIG|VENDOR)_/.test(p.code)) ? 2 : 1
  }
}

/** What went wrong, in one line, whatever was thrown. */
export function errorMessage(thrown: unknown): string {
  const text = thrown instanceof Error ? thrown.message : String(thrown)
  return (text.split('\n').find(line => line.trim() !== '') ?? 'unknown error').replace(/\.$/, '')
}
