import { signal } from '@preact/signals'
import type { Me } from '../../settings.js'
import { session } from './session.js'

/** The user who is signed in. */
export const me = signal<Me | undefined>(undefined)

/** The token goes in the body, as it does where a session is renewed: the path is open to those whom no rule mentions. */
export async function readMe(): Promise<void> {
  const asked = session.value
  if (!asked) return
  const response = await fetch('me', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ token: asked.token }),
  }).catch(() => undefined)
  if (response?.ok && session.value?.token === asked.token) me.value = await response.json()
}
