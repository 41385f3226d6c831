import type { Anything, ManagedFields } from '../model/api.js'
import { describeManager, type FieldManagers } from '../model/field-managers.js'
import type { Path } from '../model/field-sets.js'
import { Compound, LongText } from './parts.js'

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
  readonly path?: Path
  /** Of the whole object. */
  readonly managers?: FieldManagers
}
/** Any value as collapsible names and values, with the managers of each field. */
export function Fields({ value, depth = 0, path = [], managers }: FieldsProps) {
  if (value === null || typeof value !== 'object') {
    const text = String(value)
    return text.includes('\n') ? (
      <LongText text={text} label={String(path.at(-1) ?? 'Text')} />
    ) : (
      <bdi class="value">{text}</bdi>
    )
  }
  const fields = fieldsIn(value, path)
  if (fields.length === 0) return <span class="muted">empty</span>
  return (
    <div class="fields-of">
      {runsOf(fields).map(([first, ...others]) =>
        first.isLarge ? (
          <details key={first.key} open={depth < openDepth}>
            <summary>
              <Compound name={first.name} />
            </summary>
            <Fields value={first.value} depth={depth + 1} path={first.path} {...(managers ? { managers } : {})} />
          </details>
        ) : (
          <dl key={first.key}>
            {[first, ...others].map(field => (
              <div key={field.key} class="pair">
                <dt>
                  <Compound name={field.name} />
                </dt>
                <dd>
                  <Fields value={field.value} depth={depth + 1} path={field.path} />
                  {managers && <SetBy of={managers.at(field.path)} />}
                </dd>
              </div>
            ))}
          </dl>
        ),
      )}
    </div>
  )
}

interface OneField {
  readonly key: string
  readonly name: string
  readonly value: Anything
  readonly path: Path
  /** Does it have fields of its own? */
  readonly isLarge: boolean
}
function fieldsIn(value: Anything, path: Path): OneField[] {
  const isList = Array.isArray(value)
  return Object.entries<Anything>(value).map(([key, inner], at) => ({
    key: `${key} ${at}`,
    name: isList ? String(inner?.name ?? inner?.type ?? at) : key,
    value: inner,
    path: [...path, isList ? at : key],
    isLarge: inner !== null && typeof inner === 'object' && Object.keys(inner).length > 0,
  }))
}
/** Joins consecutive simple fields to one `dl`, in which collapsible ones are not allowed. */
function runsOf(fields: readonly OneField[]): [OneField, ...OneField[]][] {
  const runs: [OneField, ...OneField[]][] = []
  for (const field of fields) {
    const last = runs.at(-1)
    if (last && !last[0].isLarge && !field.isLarge) last.push(field)
    else runs.push([field])
  }
  return runs
}
