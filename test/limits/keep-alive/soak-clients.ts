import { spawn } from 'node:child_process'
import { Agent, request } from 'node:https'
import { connect, type TLSSocket } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { describe, headersOf, type SoakReport, type SoakTarget, type Step, textOf, typeOf } from './soak-plan.js'

export type SoakClient = (target: SoakTarget, steps: readonly Step[]) => Promise<SoakReport>

const started = (): SoakReport => ({ answered: 0, connections: 0, failures: [] })

/** Sends the steps sequentially; continues after failures, so that all are counted. */
async function sendAll(
  report: SoakReport,
  steps: readonly Step[],
  send: (step: Step) => Promise<number>,
): Promise<SoakReport> {
  for (const step of steps) {
    try {
      const status = await send(step)
      if (status === step.status) report.answered++
      else report.failures.push(`${describe(step)}: ${status}`)
    } catch (error) {
      report.failures.push(`${describe(step)}: ${(error as NodeJS.ErrnoException).code ?? error}`)
    }
  }
  return report
}

/** Node's own client. */
export const agentClient: SoakClient = async (target, steps) => {
  const report = started()
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const send = (step: Step) =>
    new Promise<number>((resolve, reject) => {
      const { method, path } = step
      const text = textOf(step)
      const options = { port: target.port, method, path, headers: headersOf(step, text, target), agent }
      const sent = request({ ...options, host: '127.0.0.1', rejectUnauthorized: false }, response => {
        response.resume()
        response.on('error', reject)
        response.on('end', () => resolve(response.statusCode ?? 0))
      })
      sent.on('socket', () => {
        if (!sent.reusedSocket) report.connections++
      })
      sent.on('error', reject)
      sent.end(text)
    })
  return sendAll(report, steps, send).finally(() => agent.destroy())
}

/** As little as possible between the test and the wire: the head is one TLS record and the body another, or several. */
export const rawClient: SoakClient = async ({ port, token }, steps) => {
  const report = started()
  let socket: TLSSocket | undefined
  const open = () =>
    new Promise<TLSSocket>((resolve, reject) => {
      const opened = connect({ port, host: '127.0.0.1', rejectUnauthorized: false }, () => resolve(opened))
      opened.on('error', reject)
      opened.setNoDelay(true)
      report.connections++
    })
  const send = async (step: Step) => {
    socket = socket?.writable ? socket : await open()
    const answer = readAnswer(socket)
    const text = textOf(step)
    const lines = Object.entries(headersOf(step, text, { port, token })).map(([name, value]) => `${name}: ${value}`)
    socket.write(`${[`${step.method} ${step.path} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n`)
    if (text !== undefined) socket.write(text)
    try {
      return await answer
    } catch (error) {
      socket.destroy()
      throw error
    }
  }
  return sendAll(report, steps, send).finally(() => socket?.destroy())
}

/** The status of one response, once it is complete. */
function readAnswer(socket: TLSSocket): Promise<number> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    /** Known with the head: the size of the answer, or that it ends with its last chunk. */
    let head: { status: number; size: number } | undefined
    const done = (settle: () => void) => {
      socket.off('data', take).off('error', fail).off('close', closed)
      settle()
    }
    const fail = (error: Error) => done(() => reject(error))
    const closed = () => fail(new Error('the connection was closed'))
    const take = (chunk: Buffer) => {
      chunks.push(chunk)
      size += chunk.length
      head ??= headOf(Buffer.concat(chunks).toString('latin1'))
      if (!head) return
      const { status } = head
      const last = chunks.at(-1)!.length < lastChunk.length ? Buffer.concat(chunks) : chunks.at(-1)!
      const isWhole = Number.isNaN(head.size) ? last.toString('latin1').endsWith(lastChunk) : size >= head.size
      if (isWhole) done(() => resolve(status))
    }
    socket.on('data', take).on('error', fail).on('close', closed)
  })
}
const lastChunk = '\r\n0\r\n\r\n'

function headOf(text: string): { status: number; size: number } | undefined {
  const end = text.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const length = /^content-length: (\d+)\r$/im.exec(text.slice(0, end + 1))?.[1]
  return { status: Number(text.split(' ', 2)[1]), size: length === undefined ? Number.NaN : end + 4 + Number(length) }
}

const pythonProgram = fileURLToPath(new URL('../../../../test/limits/keep-alive/http_client_soak.py', import.meta.url))

/** Python's http.client, which sends head and body separately. */
export const pythonClient: SoakClient = (target, steps) =>
  new Promise((resolve, reject) => {
    const child = spawn('python3', [pythonProgram], { stdio: ['pipe', 'pipe', 'inherit'] })
    let output = ''
    child.stdout.setEncoding('utf8').on('data', text => (output += text))
    child.on('error', reject)
    child.on('close', code =>
      code === 0 ? resolve(JSON.parse(output) as SoakReport) : reject(new Error(`python3 ended with ${code}`)),
    )
    child.stdin.on('error', () => {})
    for (const step of steps) child.stdin.write(`${JSON.stringify({ ...step, type: typeOf(step) })}\n`)
    child.stdin.end(`${JSON.stringify(target)}\n`)
  })
