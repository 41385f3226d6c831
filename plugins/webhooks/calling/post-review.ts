import type { Dispatcher } from 'undici'
import { CallFailure } from './call-failure.js'

/** The most that an answer may be; patches that are larger than any object make no sense. */
export const maxAnswerBytes = 3 * 1024 * 1024

/** So much of an answer that does not count is read so that its connection can be used again. */
const dumpedBytes = 64 * 1024

/** Sends a body and reads the answer, or fails within `signal`. */
export async function postReview(
  connection: Dispatcher,
  path: string,
  headers: Record<string, string>,
  body: string,
  signal: AbortSignal,
): Promise<string> {
  const send = () => connection.request({ method: 'POST', path, headers, body, signal })
  let response: Dispatcher.ResponseData
  try {
    response = await send()
  } catch (error) {
    if (signal.aborted || !wasClosedWhileIdle(error)) throw error
    response = await send()
  }
  // Whatever becomes of the body after the answer was judged is nobody's business, and must not end the process.
  response.body.on('error', () => {})
  if (response.statusCode < 200 || response.statusCode > 206) {
    response.body.dump({ limit: dumpedBytes, signal }).catch(() => {})
    throw new CallFailure(`the webhook answered with status ${response.statusCode}`)
  }
  const text = await readBounded(response.body)
  if (text === '') throw new CallFailure(`the webhook answered with nothing (status ${response.statusCode})`)
  return text
}

/** A kept connection may be closed by the other side just when it is used again; nothing was read, so nothing was decided. */
function wasClosedWhileIdle(error: unknown): boolean {
  const { code = '', socket } = error as { code?: string; socket?: { bytesRead?: number } }
  return ['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'].includes(code) && (socket?.bytesRead ?? 0) > 0
}

async function readBounded(body: Dispatcher.ResponseData['body']): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    size += (chunk as Buffer).length
    if (size > maxAnswerBytes) throw new CallFailure(`the answer is larger than ${maxAnswerBytes} bytes`)
    chunks.push(chunk as Buffer)
  }
  return Buffer.concat(chunks).toString('utf8')
}
