import { may, mayForSome } from '../model/access.js'
import { chosenNamespace, listableTypes } from '../model/catalogue.js'
import { me } from '../model/identity.js'
import { impersonation, signOut } from '../model/session.js'
import { Menu } from './menu.js'
import { isViewAsOpen } from './view-as.js'

/** Does any rule permit it? The server decides for each name. */
export const mayImpersonate = (): boolean =>
  ['users', 'groups', 'serviceaccounts'].some(resource => mayForSome('impersonate', '', resource))

/** A summary of the user's permissions. */
function rights(): string {
  if (may('*', '*', '*')) return 'You may do everything.'
  const types = listableTypes.value
  const readable = types.filter(({ group, resource }) => may('list', group, resource)).length
  const writable = types.filter(
    ({ group, resource }) => may('update', group, resource) || may('patch', group, resource),
  )
  const namespaces = impersonation.value ? [] : (me.value?.namespaces ?? [])
  const everywhere =
    readable === 0
      ? 'You have no permissions that apply to all namespaces.'
      : `In all namespaces you may list ${readable} of ${types.length} types and change ${writable.length}.`
  return namespaces.length === 0 ? everywhere : `${everywhere} Roles grant you more in:`
}

const initialOf = (name: string) =>
  name
    .replace(/^.*[:/]/, '')
    .charAt(0)
    .toUpperCase()

/** Shows the user and their permissions, and signs out. */
export function IdentityMenu() {
  const known = me.value
  const acting = impersonation.value
  const name = acting?.user ?? known?.name ?? '…'
  const goTo = (namespace: string) => {
    chosenNamespace.value = namespace
  }
  return (
    <Menu
      isPanel
      isNamedByFace
      class="identity"
      label={`Signed in as ${name}`}
      face={
        <>
          <span class="person" data-initial={initialOf(name)} />
          <span class="unseen">Signed in as </span>
          <bdi class="name">{name}</bdi>
        </>
      }
    >
      <p>
        <strong>
          <bdi>{name}</bdi>
        </strong>
      </p>
      {!acting && known && known.groups.length > 0 && (
        <p class="muted small">
          Groups: <bdi>{known.groups.join(', ')}</bdi>
        </p>
      )}
      <p class="small">{rights()}</p>
      {!acting && known && known.namespaces.length > 0 && (
        <ul class="chips">
          {known.namespaces.slice(0, 12).map(namespace => (
            <li key={namespace}>
              <a href={`#/?ns=${encodeURIComponent(namespace)}`} data-closes onClick={() => goTo(namespace)}>
                <bdi>{namespace}</bdi>
              </a>
            </li>
          ))}
          {known.namespaces.length > 12 && <li>and {known.namespaces.length - 12} more</li>}
        </ul>
      )}
      <div class="buttons">
        {mayImpersonate() && (
          <button type="button" data-closes onClick={() => (isViewAsOpen.value = true)}>
            View as…
          </button>
        )}
        <button type="button" data-closes onClick={signOut}>
          Sign out
        </button>
      </div>
    </Menu>
  )
}
