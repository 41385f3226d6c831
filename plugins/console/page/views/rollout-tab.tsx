import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { may } from '../model/access.js'
import type { Change } from '../model/change-object.js'
import { mergePatch } from '../model/change-object.js'
import { viewOf } from '../model/owner-tree.js'
import { imagesOf, progressOf, type Revision, revisionsOf } from '../model/rollout.js'
import { ConfirmChange } from './confirm-change.js'
import { Ago, Failure, scrollable } from './parts.js'
import type { TabProps } from './tab-props.js'

interface Wanted {
  readonly title: string
  readonly change: Change
  readonly done: string
}

/** The progress of a rollout, and the revisions of a workload, with rollbacks. */
export function RolloutTab({ type, object }: TabProps) {
  const revisions = useSignal<readonly Revision[] | undefined>(undefined)
  const failure = useSignal<unknown>(undefined)
  const wanted = useSignal<Wanted | undefined>(undefined)
  const { namespace, name, resourceVersion } = object.metadata
  useEffect(() => {
    void revisionsOf(type, object).then(
      found => (revisions.value = found),
      failed => (failure.value = failed),
    )
  }, [resourceVersion])
  const { wanted: all, updated, ready, available } = progressOf(type, object)
  const isForbidden = may('patch', type.group, type.resource, namespace, name) === false
  const isPaused = object['spec']?.paused === true
  const pause = () => {
    wanted.value = {
      title: isPaused ? 'Resume' : 'Pause',
      change: { method: 'PATCH', contentType: mergePatch, body: { spec: { paused: !isPaused } } },
      done: isPaused ? 'has been resumed' : 'has been paused',
    }
  }
  return (
    <>
      <section class="card">
        <h2>Rollout {isPaused && <span class="tag warn">Paused</span>}</h2>
        <div class="bars">
          {(
            [
              ['Updated', updated],
              ['Ready', ready],
              ['Available', available],
            ] as const
          ).map(([title, count]) => (
            <label key={title}>
              {title}: {count} of {all}
              <progress max={Math.max(all, 1)} value={Math.min(count, Math.max(all, 1))} />
            </label>
          ))}
        </div>
        {type.kind === 'Deployment' && (
          <button type="button" disabled={isForbidden} onClick={pause}>
            {isPaused ? 'Resume the rollout' : 'Pause the rollout'}
          </button>
        )}
      </section>
      <section class="card">
        <h2>Revisions</h2>
        {failure.value !== undefined && <Failure failure={failure.value} />}
        {revisions.value && (
          <div {...scrollable('Revisions')}>
            <table>
              <thead>
                <tr>
                  <th scope="col">Revision</th>
                  <th scope="col">Images</th>
                  <th scope="col">Pods</th>
                  <th scope="col">Created</th>
                  <th scope="col">
                    <span class="unseen">Actions</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {revisions.value.map((revision, at) => (
                  <tr key={revision.object.metadata.uid}>
                    <th scope="row">
                      <a href={`#${viewOf(revision.type, namespace, revision.object.metadata.name)}`}>
                        {revision.number}
                      </a>{' '}
                      {at === 0 && <span class="tag good">current</span>}
                    </th>
                    <td>
                      <bdi>{imagesOf(revision.template)}</bdi>
                    </td>
                    <td>{revision.replicas ?? '–'}</td>
                    <td>
                      <Ago time={revision.object.metadata.creationTimestamp} /> ago
                    </td>
                    <td>
                      {at > 0 && (
                        <button
                          type="button"
                          disabled={isForbidden}
                          onClick={() =>
                            (wanted.value = {
                              title: 'Roll back',
                              change: revision.change,
                              done: `is being rolled back to revision ${revision.number}`,
                            })
                          }
                        >
                          Roll back to {revision.number}
                        </button>
                      )}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </section>
      {wanted.value && (
        <ConfirmChange type={type} object={object} {...wanted.value} onClose={() => (wanted.value = undefined)} />
      )}
    </>
  )
}
