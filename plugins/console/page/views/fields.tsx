import type { Anything, ManagedFields } from '../model/api.js'
import { describeManager, type FieldManagers } from '../model/field-managers.js'
import type { Path } from '../model/field-sets.js'

function SetBy({ of: found }: { of: readonly ManagedFields[] }) {
  const [first] = found
  if (!first) return null
  return (
    <span class="set-by" title={found.map(describeManager).join('\n')}>
      <span class="unseen">set by </span>
      <bdi>{first.manager}</bdi>
      {found.length > 1 && ` +${found.length - 1}`}
    </span>
  )
}

const openDepth = 3
interface FieldsProps {
  readonly value: Anything
  readonly depth?: number
  /** Where the value stands, and who set what is there. */
  readonly path?: Path
  readonly managers?: FieldManagers
}
/** Any value, as names and values that unfold, with who set each. */
export function Fields({ value, depth = 0, path = [], managers }: FieldsProps) {
  if (value === null || typeof value !== 'object') {
    const text = String(value)
    return text.includes('\n') ? <pre class="value">{text}</pre> : <bdi class="value">{text}</bdi>
  }
  const entries: [string, Anything][] = Array.isArray(value)
    ? value.map((each, at) => [String(each?.name ?? each?.type ?? at), each])
    : Object.entries(value)
  if (entries.length === 0) return <span class="muted">empty</span>
  return (
    <dl class="fields-of">
      {entries.map(([name, inner], at) => {
        const place = [...path, Array.isArray(value) ? at : name]
        const isLarge = inner !== null && typeof inner === 'object' && Object.keys(inner).length > 0
        return isLarge ? (
          <details key={`${name} ${at}`} open={depth < openDepth}>
            <summary>
              <bdi>{name}</bdi>
            </summary>
            <Fields value={inner} depth={depth + 1} path={place} {...(managers ? { managers } : {})} />
          </details>
        ) : (
          <div key={`${name} ${at}`} class="pair">
            <dt>
              <bdi>{name}</bdi>
            </dt>
            <dd>
              <Fields value={inner} depth={depth + 1} />
              {managers && <SetBy of={managers.at(place)} />}
            </dd>
          </div>
        )
      })}
    </dl>
  )
}
