import { may } from '../model/access.js'
import { areTypesKnown, listableTypes, typeView } from '../model/catalogue.js'
import { settings } from '../model/session.js'

/** Where somebody lands: every type, to click or to type. */
export function Home() {
  const types = listableTypes.value
  const allowed = types.filter(({ group, resource }) => may('list', group, resource) !== false)
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
        {allowed.map(type => (
          <li key={`${type.resource}.${type.group}`}>
            <a href={`#${typeView(type)}`}>
              <strong>
                <bdi>{type.kind}</bdi>
              </strong>
              <span class="muted">{type.group || 'core'}</span>
            </a>
          </li>
        ))}
      </ul>
    </div>
  )
}
