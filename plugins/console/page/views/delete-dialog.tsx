import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { changeObject } from '../model/change-object.js'
import { dependentsOf, describeNode, ownerTree, type TreeNode } from '../model/owner-tree.js'
import { objectPath } from '../model/paths.js'
import { Dialog, Failure, notify } from './parts.js'
import type { TabProps } from './tab-props.js'

const shownDependents = 20
type Propagation = 'Background' | 'Foreground' | 'Orphan'
const ways: readonly (readonly [Propagation, string])[] = [
  ['Background', 'delete the object, then its dependents'],
  ['Foreground', 'delete its dependents, then the object'],
  ['Orphan', 'delete the object only, and keep its dependents'],
]

/** Shows dependents and finalizers before an object is deleted. */
export function DeleteDialog({ type, object, onClose }: TabProps & { onClose(): void }) {
  const dependents = useSignal<readonly TreeNode[] | undefined>(undefined)
  const way = useSignal<Propagation>('Background')
  const failure = useSignal<unknown>(undefined)
  const { name, namespace, uid, finalizers = [] } = object.metadata
  useEffect(() => {
    void ownerTree(type, object.metadata).then(
      ({ self }) => (dependents.value = dependentsOf(self)),
      () => (dependents.value = []),
    )
  }, [])
  const submit = async (event: Event) => {
    event.preventDefault()
    try {
      // Not another object that has been created with the same name in the meantime.
      const options = { propagationPolicy: way.value, preconditions: { uid } }
      await changeObject(objectPath(type, namespace, name), { method: 'DELETE', body: options })
      notify(`${type.kind} ${name} is being deleted.`)
      onClose()
    } catch (failed) {
      failure.value = failed
    }
  }
  const found = dependents.value
  return (
    <Dialog title={`Delete ${type.kind} ${name}`} onClose={onClose}>
      <form class="fields" onSubmit={submit}>
        {failure.value !== undefined && <Failure failure={failure.value} />}
        {finalizers.length > 0 && (
          <p>
            It stays in Terminating until these finalizers are removed:{' '}
            {finalizers.map(each => (
              <code key={each}>{each} </code>
            ))}
          </p>
        )}
        {found === undefined && <p class="muted">Looking for dependents…</p>}
        {found?.length === 0 && <p>It has no dependents that you may list.</p>}
        {found !== undefined && found.length > 0 && (
          <fieldset>
            <legend>{found.length === 1 ? 'One object depends' : `${found.length} objects depend`} on it</legend>
            <ul class="dependents">
              {found.slice(0, shownDependents).map(node => (
                <li key={node.metadata.uid}>
                  <bdi>{describeNode(node)}</bdi>
                  {node.metadata.finalizers?.length ? (
                    <span class="muted"> finalizers: {node.metadata.finalizers.join(', ')}</span>
                  ) : null}
                </li>
              ))}
              {found.length > shownDependents && <li class="muted">and {found.length - shownDependents} more</li>}
            </ul>
            {ways.map(([key, text]) => (
              <label key={key} class="check">
                <input type="radio" name="way" checked={way.value === key} onChange={() => (way.value = key)} />
                {key}: {text}
              </label>
            ))}
          </fieldset>
        )}
        <div class="buttons">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="danger">
            Delete
          </button>
        </div>
      </form>
    </Dialog>
  )
}
