import { writeFileSync } from 'node:fs'
import { Agent, request } from 'node:https'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { eventually } from '../support/eventually.js'
import { Http2Client } from '../support/http2-client.js'
import { type RunningServer, startOrch } from '../support/start-orch.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const token = 'a-token-of-this-test'
const writers = 32

interface Answer {
  readonly status: number
  readonly isLast: boolean
}

/** One request, its whole answer. */
const ask = (agent: Agent, { url }: RunningServer, method: string, path: string, body?: unknown): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const sent = request(`${url}${path}`, { agent, method, headers, rejectUnauthorized: false }, response => {
      response.resume()
      response.on('error', reject)
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, isLast: response.headers.connection === 'close' }),
      )
    })
    sent.on('error', reject)
    sent.end(body === undefined ? undefined : JSON.stringify(body))
  })

for (const flags of [[], ['--workers=2']])
  test(`writers and watchers see no broken connection when the server stops ${flags.join()}`, async () => {
    const folder = temporaryFolder()
    const tokens = join(folder.path, 'tokens.csv')
    writeFileSync(tokens, `${token},writer,1,"system:masters"\n`)
    const server = await startOrch({
      flags: [`--token-auth-file=${tokens}`, '--shutdown-linger-duration=2s', ...flags],
    })
    try {
      const outcomes: string[] = []
      let written = 0
      let writtenHttp2 = 0
      const write = async (at: number) => {
        const agent = new Agent({ keepAlive: true, maxSockets: 1 })
        for (let count = 0; ; count++) {
          const answer = await ask(agent, server, 'POST', '/api/v1/namespaces/default/configmaps', {
            apiVersion: 'v1',
            kind: 'ConfigMap',
            metadata: { name: `w${at}-${count}` },
          }).catch((error: NodeJS.ErrnoException) => error.code ?? error.message)
          if (typeof answer === 'object' && answer.status === 201) {
            written++
            // Some are between two requests when the server stops.
            if (!answer.isLast && (await setTimeout(10, true))) continue
          }
          outcomes.push(typeof answer === 'string' ? answer : `${answer.status} ${answer.isLast ? 'last' : ''}`)
          return
        }
      }
      const http2 = new Http2Client(server.url, { token })
      const broken: string[] = []
      const writeHttp2 = async (at: number) => {
        // The client starts no requests after GOAWAY.
        for (let count = 0; !http2.session.closed; count++) {
          const answer = await http2
            .ask('POST', '/api/v1/namespaces/default/configmaps', {
              headers: { 'content-type': 'application/json' },
              body: JSON.stringify({ metadata: { name: `h${at}-${count}` } }),
            })
            .catch((error: Error) => error.message)
          // A request in the same turn as GOAWAY: the library has not sent it.
          if (http2.session.closed && answer === 'the stream was reset with code 7') return
          if (typeof answer === 'string' || answer.status !== 201) broken.push(JSON.stringify(answer))
          else writtenHttp2++
        }
      }
      const watch = ask(new Agent(), server, 'GET', '/api/v1/configmaps?watch=true')
      const watchHttp2 = http2.ask('GET', '/api/v1/configmaps?watch=true')
      const writing = Array.from({ length: writers }, (_, at) => write(at))
      const writingHttp2 = Array.from({ length: writers }, (_, at) => writeHttp2(at))
      await eventually('every writer to be at work', () => Math.min(written, writtenHttp2) > 4 * writers)
      process.kill(server.pid, 'SIGTERM')
      await Promise.all([...writing, ...writingHttp2])
      assert.equal(outcomes, Array(writers).fill('201 last'))
      assert.is((await watch).status, 200, 'the watch ended as an answer ends')
      assert.equal(broken, [])
      assert.equal(http2.goaways[0], { code: 0, lastStream: 2 ** 31 - 1 }, 'streams on their way were served')
      assert.is((await watchHttp2).status, 200)
      assert.is(await server.exit, 0)
      assert.match(server.output(), /"signal":"SIGTERM","message":"stopped"/)
    } finally {
      await server.stop()
      folder.remove()
    }
  })

test.run()
