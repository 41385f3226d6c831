/** What a scripted webhook does when it is called. */
export type Behaviour =
  /** Answers properly; `uid` and `apiVersion` are those of the request unless given. */
  | {
      readonly is: 'answer'
      readonly response: Record<string, unknown>
      readonly apiVersion?: string
      afterMs?: number
    }
  /** Sends exactly this. */
  | { readonly is: 'raw'; readonly status?: number; readonly headers?: Record<string, string>; readonly body: string }
  | { readonly is: 'hang' }
  /** Lets the request through once the path is told to behave otherwise. */
  | { readonly is: 'hold' }
  | { readonly is: 'reset' }
  /** Starts to answer and then sends one byte at a time. */
  | { readonly is: 'drip'; readonly everyMs: number }
  /** Answers without end. */
  | { readonly is: 'flood' }

/** One call as the webhook saw it. */
export interface SeenCall {
  readonly path: string
  readonly query: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** Common name of the client certificate; empty without one. */
  readonly clientName: string
  /** A connection of its own, or one that was used before? */
  readonly connection: number
  readonly isSessionReused: boolean
  readonly review: Review
}
/** An AdmissionReview, as loosely as tests look at it. */
export interface Review {
  readonly apiVersion: string
  readonly kind: string
  readonly request: ReviewedRequest
}
export interface ReviewedRequest {
  readonly uid: string
  readonly name?: string
  readonly namespace?: string
  readonly operation: string
  readonly subResource?: string
  readonly object: ReviewedObject | null
  readonly oldObject: ReviewedObject | null
  readonly [field: string]: unknown
}
export interface ReviewedObject {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: Record<string, unknown>
  readonly [field: string]: unknown
}

export interface WebhookKeys {
  readonly certificatePem: string
  readonly keyPem: string
  /** Asks callers for a certificate; checks it against this authority. */
  readonly clientCaPem?: string
}

/** From the test to the process. */
export type Order =
  | { readonly id: number; readonly do: 'start'; readonly keys: WebhookKeys }
  | { readonly id: number; readonly do: 'behave'; readonly path: string; readonly behaviours: readonly Behaviour[] }
  | { readonly id: number; readonly do: 'take-calls'; readonly path: string }
/** From the process to the test. */
export interface Reply {
  readonly id: number
  readonly value?: unknown
}
