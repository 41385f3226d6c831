import { readFileSync } from 'node:fs'
import * as http from 'node:http'
import * as https from 'node:https'
import { dirname, join } from 'node:path'
import { substitute, type Variables } from './json-paths.js'
import type { Step } from './scenario.js'

interface Credential {
  readonly token?: string
  readonly cert?: string
  readonly key?: string
}
export interface Answer {
  readonly status: number
  readonly headers: http.IncomingHttpHeaders
  readonly rawHeaders: readonly string[]
  readonly bytes: Buffer
}
export interface Stream {
  readonly response: http.IncomingMessage
  readonly request: http.ClientRequest
}

const answerLimitMs = 40_000

/** Sends the requests of steps to the server under test, as the users they name. */
export class ScenarioClient {
  readonly #target: URL
  readonly #credentials: Readonly<Record<string, Credential>>
  readonly #fixtures: string
  readonly #agents = new Map<string, http.Agent>()
  readonly #protocol: typeof http | typeof https

  constructor(target: string, credentialsFile: string) {
    this.#target = new URL(target)
    this.#credentials = JSON.parse(readFileSync(credentialsFile, 'utf8'))
    this.#fixtures = dirname(credentialsFile)
    this.#protocol = this.#target.protocol === 'http:' ? http : https
  }

  close(): void {
    for (const agent of this.#agents.values()) agent.destroy()
  }

  /** Sends a request and collects the answer. */
  async send(step: Step, variables: Variables): Promise<Answer> {
    const { response } = await this.open(step, variables)
    const chunks: Buffer[] = []
    for await (const chunk of response) chunks.push(chunk)
    return {
      status: response.statusCode ?? 0,
      headers: response.headers,
      rawHeaders: response.rawHeaders,
      bytes: Buffer.concat(chunks),
    }
  }

  /** Sends a request and returns the response as soon as its head has arrived. */
  open(step: Step, variables: Variables): Promise<Stream> {
    const headers = this.#headers(step, variables)
    const body = bodyOf(step, variables)
    if (body) {
      headers['content-type'] ??= 'application/json'
      if (headers['content-type'] === '-') delete headers['content-type']
      headers['content-length'] = String(body.length)
    }
    return new Promise((resolve, reject) => {
      const request = this.#protocol.request(
        {
          agent: this.#agent(step),
          method: step.method ?? 'GET',
          host: this.#target.hostname,
          port: this.#target.port,
          path: substitute(step.path ?? '', variables),
          headers,
        },
        response => resolve({ response, request }),
      )
      request.on('error', reject)
      request.setTimeout(answerLimitMs, () => request.destroy(new Error(`no answer in ${answerLimitMs / 1000} s`)))
      request.end(body)
    })
  }

  #headers(step: Step, variables: Variables): Record<string, string> {
    const as = step.as ?? 'admin'
    const headers: Record<string, string> = { 'user-agent': 'golden/1.0', accept: 'application/json' }
    const token = typeof as === 'object' ? substitute(as.bearer, variables) : this.#credential(as).token
    if (token !== undefined) headers['authorization'] = `Bearer ${token}`
    for (const [name, value] of Object.entries(step.headers ?? {})) {
      if (value === null) delete headers[name.toLowerCase()]
      else headers[name.toLowerCase()] = substitute(value, variables)
    }
    return headers
  }

  #credential(name: string): Credential {
    const credential = this.#credentials[name]
    if (!credential) throw new Error(`unknown credential ${name}`)
    return credential
  }

  /** One for each client certificate, one for all others. */
  #agent({ as = 'admin' }: Step): http.Agent {
    const { cert, key = '' } = typeof as === 'string' ? this.#credential(as) : {}
    const name = cert ?? ''
    const known = this.#agents.get(name)
    if (known) return known
    const read = (file: string) => readFileSync(join(this.#fixtures, file))
    const agent = new this.#protocol.Agent({
      keepAlive: true,
      maxSockets: 64,
      rejectUnauthorized: false,
      ...(cert ? { cert: read(cert), key: read(key) } : {}),
    })
    this.#agents.set(name, agent)
    return agent
  }
}

function bodyOf(step: Step, variables: Variables): Buffer | undefined {
  const { bodyBase64, bodyText, bodyRepeat, body } = step
  if (bodyBase64 !== undefined) {
    const bytes = Buffer.from(bodyBase64, 'base64').toString('latin1')
    return Buffer.from(bytes.replaceAll('{{run}}', variables['run'] ?? ''), 'latin1')
  }
  if (bodyText !== undefined) return Buffer.from(substitute(bodyText, variables))
  if (bodyRepeat !== undefined) {
    const text = substitute(JSON.stringify(bodyRepeat.body), variables)
    return Buffer.from(text.replace('@@', 'x'.repeat(bodyRepeat.bytes)))
  }
  return body === undefined ? undefined : Buffer.from(JSON.stringify(substitute(body, variables)))
}
