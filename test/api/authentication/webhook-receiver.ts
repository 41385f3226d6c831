import { type HttpsReceiver, startHttpsReceiver } from '../../support/https-receiver.js'

export interface ReceivedReview {
  readonly path: string | undefined
  /** Common name of the client certificate. */
  readonly client: string
  readonly review: {
    apiVersion: string
    kind: string
    spec: { token: string; audiences?: string[] }
    status?: unknown
  }
}
/** The answer: the status of the review, or a complete response. */
export type ReviewAnswer = { readonly status: object } | { readonly code: number; readonly text: string }

export interface TestWebhook extends Pick<HttpsReceiver, 'configFile'> {
  readonly received: ReceivedReview[]
  close(): Promise<void>
}

/** A token webhook over TLS that requires a client certificate. */
export async function startTokenWebhook(answer: (received: ReceivedReview) => ReviewAnswer): Promise<TestWebhook> {
  const received: ReceivedReview[] = []
  const { configFile, stop } = await startHttpsReceiver(({ body, ...rest }) => {
    const review = JSON.parse(body)
    const one = { ...rest, review }
    received.push(one)
    const given = answer(one)
    // The spec of an answer must be ignored, so it is deliberately wrong.
    return 'code' in given ? given : { code: 200, text: JSON.stringify({ ...review, spec: { token: 'x' }, ...given }) }
  })
  return { received, configFile, close: stop }
}
