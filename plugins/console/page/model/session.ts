import { computed, signal } from '@preact/signals'
import type { PageSettings } from '../../settings.js'
import { leaveSession, type OpenIdTokens, renewTokens, returnFromIssuer } from './open-id.js'
import { reread } from './route.js'

/** Settings that are needed before the sign-in. */
export const settings = signal<PageSettings>(undefined as unknown as PageSettings)

interface Session extends Partial<OpenIdTokens> {
  readonly token: string
  /** In ms since the epoch; undefined for pasted tokens. */
  readonly expiresAt?: number
  /** Issued, and renewed, by an OpenID Connect issuer. */
  readonly isOfIssuer?: true
}
/** The impersonated user. */
export interface Impersonation {
  readonly user: string
  readonly groups: readonly string[]
}

// In the sessionStorage of this tab only; other tabs get the session from open ones, by messages.
const storageKey = 'console-session'

export const session = signal<Session | undefined>(undefined)
export const impersonation = signal<Impersonation | undefined>(undefined)
export const signInProblem = signal('')
export const isSignedIn = computed(() => session.value !== undefined)

/** A token is renewed when this share of its remaining lifetime has passed. */
const renewalPart = 0.5

export function keepSession(next: Session | undefined): void {
  adopt(next)
  tabs.postMessage(next ? { session: next } : { ended: true })
}

/** Uses a session that this or another tab has started, renewed or ended. */
function adopt(next: Session | undefined): void {
  session.value = next
  if (next) sessionStorage.setItem(storageKey, JSON.stringify(next))
  else sessionStorage.removeItem(storageKey)
  scheduleRenewal()
}

export function endSession(problem: string): void {
  signInProblem.value = problem
  impersonation.value = undefined
  keepSession(undefined)
}

/** Signs out: in this browser, on the server, and with the issuer. */
export function signOut(): void {
  const { token = '', signOutAt, isOfIssuer, expiresAt } = session.value ?? {}
  endSession('')
  // A pasted token belongs to no session of this server.
  if (!isOfIssuer && expiresAt !== undefined) void post('sign-out', { token }).catch(() => undefined)
  if (signOutAt !== undefined) leaveSession(token, signOutAt)
}

async function post(path: string, body: object): Promise<{ token: string; expiresAt: number } | undefined> {
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  return response.ok ? await response.json() : undefined
}

/**
 * Starts a session with the code of a link or of an issuer, which is removed from the address and the history; or continues the
 * session of this tab or another one.
 */
export async function openSession(): Promise<void> {
  try {
    const tokens = await returnFromIssuer()
    if (tokens) return keepSession({ ...tokens, isOfIssuer: true })
  } catch (failure) {
    signInProblem.value = (failure as Error).message
  }
  const code = /^#code=([\w-]+)$/.exec(location.hash)?.[1]
  if (code !== undefined) {
    history.replaceState(null, '', `${location.pathname}#/`)
    reread()
    const given = await post('sign-in', { code }).catch(() => undefined)
    if (given) return keepSession(given)
    signInProblem.value = 'This link has been used or has expired. The command `orch console` prints another one.'
  }
  const kept = sessionStorage.getItem(storageKey)
  const found = kept === null ? await sessionOfOtherTab() : (JSON.parse(kept) as Session)
  if (found) adopt(found)
}

type Message = { readonly session: Session } | { readonly ended: true } | { readonly wanted: true }
/** Reaches only pages of this origin in this browser, and stores nothing. */
const tabs = new BroadcastChannel('console-session')
const tabAnswerMs = 250
tabs.onmessage = ({ data }: MessageEvent<Message>) => {
  if ('wanted' in data) {
    if (session.value) tabs.postMessage({ session: session.value })
  } else if ('ended' in data) {
    if (session.value) {
      impersonation.value = undefined
      adopt(undefined)
    }
  } else if (session.value !== undefined) adopt(data.session)
}

/** The session of another tab; undefined if none is signed in. */
function sessionOfOtherTab(): Promise<Session | undefined> {
  return new Promise(resolve => {
    const timer = setTimeout(end, tabAnswerMs)
    function end(): void {
      tabs.removeEventListener('message', take)
      clearTimeout(timer)
      resolve(undefined)
    }
    function take({ data }: MessageEvent<Message>): void {
      if (!('session' in data)) return
      resolve(data.session)
      end()
    }
    tabs.addEventListener('message', take)
    tabs.postMessage({ wanted: true })
  })
}

/** Browsers fire timers with longer delays at once. */
const maxTimerMs = 2 ** 31 - 1
let renewal: ReturnType<typeof setTimeout> | undefined
function scheduleRenewal(): void {
  clearTimeout(renewal)
  const current = session.value
  // Without a refresh token, the session ends with the token.
  if (!current?.expiresAt || (current.isOfIssuer && !current.refreshToken)) return
  const left = current.expiresAt - Date.now()
  renewal = setTimeout(() => void renew(current), Math.min(Math.max(left * renewalPart, 1000), maxTimerMs))
}
async function renew(current: Session): Promise<void> {
  // One tab renews for all: many issuers accept a refresh token only once.
  await navigator.locks.request('console-renewal', () => renewOnce(current))
}
async function renewOnce(current: Session): Promise<void> {
  if (session.value !== current) return
  const renewed = await (current.isOfIssuer ? renewTokens(current) : post('renew', { token: current.token })).catch(
    () => undefined,
  )
  if (session.value !== current) return
  if (renewed) keepSession(renewed)
  else if (current.expiresAt !== undefined && Date.now() < current.expiresAt) scheduleRenewal()
}
