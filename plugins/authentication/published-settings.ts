import { readFileSync } from 'node:fs'
import { type Clock, defineStartTask, type Logger, type ServerFacts, type Stored, services } from 'orch/sdk'
import { type Client, unlessLost } from 'orch/sdk/client'
import type { ConfigMap } from 'orch/sdk/core'
import type { AuthenticationNames } from './names.js'
import type { AuthenticationOptions } from './options.js'
import { isSameTexts } from './same-texts.js'

/** The ConfigMap from which extension servers read how to authenticate requests that this server proxies to them. */
const name = 'extension-apiserver-authentication'
/** Checked again, because files may change and the ConfigMap may be deleted. */
const recheckMs = 60_000
/** The delay after a failed write, which a webhook that is down may have refused. */
const retryMs = 5_000

/** Publishes the CAs of client certificates and the settings of the authenticating proxy. */
export const publishSettings = (options: AuthenticationOptions, names: AuthenticationNames, publishesUids: boolean) =>
  defineStartTask({
    name: 'settings for extension servers',
    once: true,
    needs: { client: services.client, clock: services.clock, logger: services.logger, server: services.server },
    async run({ server, ...given }) {
      const publisher = new Publisher(() => settingsOf(options, server, publishesUids), names, given)
      await publisher.run()
      return async () => publisher.stop()
    },
  })

/** The data of the ConfigMap; without a proxy it has no proxy settings. */
export function settingsOf(
  options: AuthenticationOptions,
  { caCertificatePem, frontProxy }: Pick<ServerFacts, 'caCertificatePem' | 'frontProxy'>,
  publishesUids = false,
): Record<string, string> {
  const clientCa = bundle([caCertificatePem, readGiven(options.clientCaFile)])
  const own = frontProxy?.isUsed ? frontProxy : undefined
  const proxyCa = bundle([readGiven(options.requestheaderClientCaFile), readGiven(own?.caFile)])
  const isGiven = options.requestheaderClientCaFile !== undefined
  const list = (given: readonly string[], ours: string) => JSON.stringify(own ? [...new Set([...given, ours])] : given)
  // An empty list allows the operator's proxy any name; adding one would exclude all others.
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
          ...(publishesUids
            ? { 'requestheader-uid-headers': list(options.requestheaderUidHeaders, 'X-Remote-Uid') }
            : {}),
          'requestheader-username-headers': list(options.requestheaderUsernameHeaders, 'X-Remote-User'),
        }),
  }
}
const readGiven = (path: string | undefined) => (path === undefined ? undefined : readFileSync(path, 'utf8'))
/** Concatenates PEM files. */
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
    let nextMs = recheckMs
    try {
      await this.#publish()
    } catch (error) {
      nextMs = retryMs
      const why = error instanceof Error ? error.message : String(error)
      if (!this.#isStopped) this.#given.logger.warn(`could not publish ${name}; will retry`, { error: why })
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
    // Another server of the same store may have been faster; it writes the same settings.
    if (stored === undefined)
      await unlessLost(collection.create({ metadata: { name }, data: settings }), 'AlreadyExists')
    else if (!isSameTexts({ ...stored.data, ...settings }, stored.data ?? {})) {
      await unlessLost(collection.update({ ...stored, data: { ...stored.data, ...settings } }), 'Conflict')
    }
  }
}
