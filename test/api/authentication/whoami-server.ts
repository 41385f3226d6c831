import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http'
import { request } from 'node:https'
import type { TLSSocket } from 'node:tls'
import { authentication } from 'orch/plugins/authentication'
import { configuration } from 'orch/plugins/configuration'
import { namespaces } from 'orch/plugins/namespaces'
import { definePlugin, type PluginEntry, type UserInfo } from 'orch/sdk'
import { type KeyPair, startServer, type TestServer, type TestServerOptions } from 'orch/sdk/testing'
import { type Folder, temporaryFolder } from '../../support/temporary-folder.js'

/** Returns the identity of the request. */
const whoami = definePlugin({
  name: 'whoami',
  register: to =>
    to.route({
      path: '/whoami',
      handle: ({ user, headers }) => ({ body: JSON.stringify({ user, headers }) }),
    }),
})
/** Authorizes everything, for tests that are only about authentication. */
const everything = definePlugin({
  name: 'everything',
  register: to => to.authorizer({ mode: 'Everything', authorize: () => ({ decision: 'allow' }) }),
})

/** The credentials of a client. */
export interface Caller {
  readonly token?: string
  readonly certificate?: KeyPair
  readonly headers?: OutgoingHttpHeaders
  /** A TLS session to resume. */
  readonly session?: Buffer
  /** The requested path, if it is not that of the identity. */
  readonly path?: string
  /** The CA that the client trusts, if it is not that of the server. */
  readonly caPem?: string
}
export interface WhoAmI {
  readonly status: number
  /** Undefined unless the status is 200. */
  readonly user: UserInfo | undefined
  readonly text: string
  /** Headers of the request as a route sees them. */
  readonly seen: IncomingHttpHeaders
  readonly session: Buffer | undefined
  readonly isResumed: boolean
}
export interface WhoAmIServer extends TestServer {
  readonly folder: Folder
  whoAmI(caller: Caller): Promise<WhoAmI>
}

/** Runs a test with a server over TLS that authenticates with these options, and a folder for its files. */
export async function withWhoAmI(
  options: (folder: Folder) => Record<string, unknown> | Promise<Record<string, unknown>>,
  test: (server: WhoAmIServer) => Promise<void>,
  more: Partial<TestServerOptions> & {
    readonly others?: readonly PluginEntry[]
    /** Leaves out the plugin that authorizes everything. */
    readonly isGuarded?: boolean
  } = {},
): Promise<void> {
  const folder = temporaryFolder()
  const { others = [], isGuarded = false, ...rest } = more
  try {
    const server = await startServer({
      plugins: [namespaces, configuration, authentication, whoami, ...(isGuarded ? [] : [everything]), ...others],
      tls: true,
      options: await options(folder),
      ...rest,
    })
    try {
      await test({ ...server, folder, whoAmI: caller => whoAmIAt(server, caller) })
    } finally {
      await server.stop()
    }
  } finally {
    folder.remove()
  }
}

/** A server that several tests share: started on first use, stopped by `release`. */
export function sharedWhoAmI(
  ...[options, more]: [Parameters<typeof withWhoAmI>[0], Parameters<typeof withWhoAmI>[2]?]
) {
  let started: Promise<WhoAmIServer> | undefined
  let stopped: Promise<void> = Promise.resolve()
  let release = () => {}
  const isReleased = new Promise<void>(resolve => (release = resolve))
  return {
    server(): Promise<WhoAmIServer> {
      started ??= new Promise((resolve, reject) => {
        stopped = withWhoAmI(
          options,
          server => {
            resolve(server)
            return isReleased
          },
          more,
        )
        stopped.catch(reject)
      })
      return started
    },
    release(): Promise<void> {
      release()
      return stopped
    },
  }
}

function whoAmIAt({ baseUrl, clientConfig }: TestServer, caller: Caller): Promise<WhoAmI> {
  const { token, certificate, headers = {}, session, path = '/whoami', caPem = clientConfig.caPem } = caller
  return new Promise((resolve, reject) => {
    let latest: Buffer | undefined
    const sent = request(baseUrl + path, {
      agent: false,
      ca: caPem,
      ...(certificate ? { cert: certificate.certificatePem, key: certificate.keyPem } : {}),
      ...(session ? { session } : {}),
      headers: { ...headers, ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) },
    })
    sent.on('socket', socket => socket.on('session', (made: Buffer) => (latest = made)))
    sent.on('error', reject)
    sent.on('response', response => {
      let text = ''
      response.setEncoding('utf8').on('data', chunk => (text += chunk))
      response.on('end', () => {
        const status = response.statusCode ?? 0
        const answer = status === 200 && path === '/whoami' ? JSON.parse(text) : {}
        const isResumed = (response.socket as TLSSocket).isSessionReused()
        resolve({ status, text, user: answer.user, seen: answer.headers ?? {}, session: latest, isResumed })
      })
    })
    sent.end()
  })
}
