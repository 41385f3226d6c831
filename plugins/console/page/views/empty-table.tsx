import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { ResourceType } from '../model/resource-type.js'
import { schemaOf } from '../model/schemas.js'
import { settings } from '../model/session.js'

interface Props {
  readonly type: ResourceType
  readonly isFiltered: boolean
  readonly createAt: string | undefined
}

/** Explains what a type is for and how to create an object, when there is none. */
export function EmptyTable({ type, isFiltered, createAt }: Props) {
  const description = useSignal('')
  useEffect(() => {
    if (!isFiltered) void schemaOf(type).then(schema => (description.value = schema?.at([])?.description ?? ''))
  }, [type.resource, isFiltered])
  if (isFiltered) return <p class="muted pad empty">No matching objects.</p>
  const { cli } = settings.value
  return (
    <div class="empty">
      <h2>Nothing here yet</h2>
      {description.value && <p>{description.value}</p>}
      {type.verbs.includes('create') ? (
        <>
          <p>
            {createAt ? (
              <>
                <a href={createAt}>Create the first {type.kind}</a>, or use the command line:
              </>
            ) : (
              'You are not permitted to create one here. Someone who is can use the command line:'
            )}
          </p>
          <p>
            <code>{`${cli} explain ${type.resource}`}</code>
            <br />
            <code>{`${cli} apply -f my-${type.singular}.yaml`}</code>
          </p>
        </>
      ) : (
        <p class="muted">The server creates objects of this type itself.</p>
      )}
    </div>
  )
}
