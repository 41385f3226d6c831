import { readFileSync } from 'node:fs'
import { type Clock, defineStartTask, type Logger, type ServerFacts, type Stored, services } from 'orch/sdk'
import { type Client, unlessLost } from 'orch/sdk/client'
import type { ConfigMap } from 'orch/sdk/core'
import type { AuthenticationNames } from './names.js'
import type { AuthenticationOptions } from './options.js'
import { isSameTexts } from './same-texts.js'

/** Where extension servers read how to authenticate the requests that come to them through this one. */
const name = 'extension-apiserver-authentication'
/** Files may change, and the ConfigMap may have been deleted. */
const lookAgainMs = 60_000
/** Something refused it, such as a webhook that is down. */
const retryMs = 5_000

/** Publishes the authorities of clients, and what is known of the authenticating proxy. */
export const publishSettings = (options: AuthenticationOptions, names: AuthenticationNames, tellsUids: boolean) =>
  defineStartTask({
    name: 'settings for extension servers',
    once: true,
    needs: { client: services.client, clock: services.clock, logger: services.logger, server: services.server },
    async run({ server, ...given }) {
      const publisher = new Publisher(() => settingsOf(options, server, tellsUids), names, given)
      await publisher.run()
      return async () => publisher.stop()
    },
  })

/** The data of the ConfigMap; without a proxy it has no proxy settings. */
export function settingsOf(
  options: AuthenticationOptions,
  { caCertificatePem, frontProxy }: Pick<ServerFacts, 'caCertificatePem' | 'frontProxy'>,
  tellsUids = false,
): Record<string, string> {
  const clientCa = bundle([caCertificatePem, readGiven(options.clientCaFile)])
  const own = frontProxy?.isUsed ? frontProxy : undefined
  const proxyCa = bundle([readGiven(options.requestheaderClientCaFile), readGiven(own?.caFile)])
  const isGiven = options.requestheaderClientCaFile !== undefined
  const list = (given: readonly string[], ours: string) => JSON.stringify(own ? [...new Set([...given, ours])] : given)
  // An empty list allows the operator's proxy any name; to add one would take the others away.
  const allowed = options.requestheaderAllowedNames
  const names = own && !(isGiven && allowed.length === 0) ? list(allowed, own.commonName) : JSON.stringify(allowed)
  return {
    ...(clientCa === '' ? {} : { 'client-ca-file': clientCa }),
    ...(proxyCa === ''
      ? {}
      : {
          'requestheader-allowed-names': names,
          'requestheader-client-ca-file': proxyCa,
          'requestheader-extra-headers-prefix': list(options.requestheaderExtraHeadersPrefix, 'X-Remote-Extra-'),
          'requestheader-group-headers': list(options.requestheaderGroupHeaders, 'X-Remote-Group'),
          ...(tellsUids ? { 'requestheader-uid-headers': list(options.requestheaderUidHeaders, 'X-Remote-Uid') } : {}),
          'requestheader-username-headers': list(options.requestheaderUsernameHeaders, 'X-Remote-User'),
        }),
  }
}
const readGiven = (path: string | undefined) => (path === undefined ? undefined : readFileSync(path, 'utf8'))
/** One certificate after the other. */
function bundle(pems: readonly (string | undefined)[]): string {
  const all = pems.filter(pem => pem !== undefined)
  return all.length > 1 ? `${all.map(pem => pem.trimEnd()).join('\n')}\n` : (all[0] ?? '')
}

interface Dependencies {
  readonly client: Client
  readonly clock: Clock
  readonly logger: Logger
}

class Publisher {
  readonly #settings: () => Record<string, string>
  readonly #names: AuthenticationNames
  readonly #given: Dependencies
  #cancel: () => void = () => {}
  #isStopped = false

  constructor(settings: () => Record<string, string>, names: AuthenticationNames, given: Dependencies) {
    this.#settings = settings
    this.#names = names
    this.#given = given
  }

  async run(): Promise<void> {
    let nextMs = lookAgainMs
    try {
      await this.#publish()
    } catch (error) {
      nextMs = retryMs
      const why = error instanceof Error ? error.message : String(error)
      if (!this.#isStopped) this.#given.logger.warn(`could not publish ${name}; trying again`, { error: why })
    }
    if (!this.#isStopped) this.#cancel = this.#given.clock.after(nextMs, () => void this.run())
  }
  stop(): void {
    this.#isStopped = true
    this.#cancel()
  }

  async #publish(): Promise<void> {
    const { configMaps, systemNamespace } = this.#names
    const collection = this.#given.client.resource<Stored<ConfigMap>>(configMaps).in(systemNamespace)
    const settings = this.#settings()
    const stored = await collection.find(name)
    // Another server of the same store may be faster; it says the same.
    if (stored === undefined)
      await unlessLost(collection.create({ metadata: { name }, data: settings }), 'AlreadyExists')
    else if (!isSameTexts({ ...stored.data, ...settings }, stored.data ?? {})) {
      await unlessLost(collection.update({ ...stored, data: { ...stored.data, ...settings } }), 'Conflict')
    }
  }
}
