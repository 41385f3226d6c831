import { may } from '../model/access.js'
import { areTypesKnown, chosenNamespace, listableTypes, type ResourceType, typeLink } from '../model/catalogue.js'
import { settings } from '../model/session.js'

/** Where somebody lands: every type, to click or to type. */
export function Home() {
  const types = listableTypes.value
  const isForbidden = ({ group, resource }: ResourceType) =>
    may('list', group, resource, chosenNamespace.value) === false
  const allowed = types.filter(type => !isForbidden(type))
  return (
    <div class="view">
      <header class="title">
        <h1>{settings.value.title}</h1>
        <p class="muted">
          {areTypesKnown.value
            ? `${types.length} types are served, ${allowed.length} of which you may list.`
            : 'Asking the server for its types…'}
        </p>
      </header>
      <ul class="cards">
        {types.map(type => (
          <li key={`${type.resource}.${type.group}`}>
            <a href={typeLink(type)} class={isForbidden(type) ? 'forbidden' : ''}>
              <strong>
                <bdi>{type.kind}</bdi>
              </strong>
              <span class="muted">{isForbidden(type) ? 'not permitted' : type.group || 'core'}</span>
            </a>
          </li>
        ))}
      </ul>
    </div>
  )
}
