import { signal } from '@preact/signals'
import { useState } from 'preact/hooks'
import { impersonation } from '../model/session.js'
import { Dialog } from './parts.js'

export const isViewAsOpen = signal(false)

/** Impersonates another user; the server decides who may. */
export function ViewAs() {
  const [user, setUser] = useState(impersonation.value?.user ?? '')
  const [groups, setGroups] = useState(impersonation.value?.groups.join(', ') ?? '')
  const close = () => (isViewAsOpen.value = false)
  const submit = (event: Event) => {
    event.preventDefault()
    const named = groups
      .split(',')
      .map(each => each.trim())
      .filter(Boolean)
    impersonation.value = user.trim() === '' ? undefined : { user: user.trim(), groups: named }
    close()
  }
  return (
    <Dialog title="View as" onClose={close}>
      <form class="fields" onSubmit={submit}>
        <label>
          User
          <input
            value={user}
            spellcheck={false}
            placeholder="jane, or system:serviceaccount:default:robot"
            onInput={event => setUser(event.currentTarget.value)}
          />
        </label>
        <label>
          Groups, separated by commas
          <input value={groups} spellcheck={false} onInput={event => setGroups(event.currentTarget.value)} />
        </label>
        <p class="muted small">
          All requests are then sent with this identity. The server checks that you may impersonate them, and the audit
          log contains both names.
        </p>
        <div class="buttons">
          <button type="submit" class="primary">
            View
          </button>
        </div>
      </form>
    </Dialog>
  )
}
