import { signal } from '@preact/signals'
import type { Me } from '../../settings.js'
import { session } from './session.js'

/** The user who is signed in. */
export const me = signal<Me | undefined>(undefined)

/** The token is in the body because the path is public: users without any permission must be able to ask, too. */
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
