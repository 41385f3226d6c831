import { useSignal } from '@preact/signals'
import { may } from '../model/access.js'
import { type Anything, type ApiObject, requestJson } from '../model/api.js'
import type { ResourceType } from '../model/catalogue.js'
import { changeObject, mergePatch } from '../model/change-object.js'
import { fieldManager } from '../model/changes-to-send.js'
import { type ObjectPath, objectPath } from '../model/paths.js'
import { settings } from '../model/session.js'
import { DeleteDialog } from './delete-dialog.js'
import { Dialog, Failure, notify } from './parts.js'
import type { TabProps } from './tab-props.js'

interface Action {
  readonly title: string
  /** The resource and verb that it takes. */
  readonly needs: readonly [verb: string, resource: string]
  run?(): Promise<string>
  readonly dialog?: 'scale' | 'token' | 'delete'
  readonly isDanger?: boolean
}

/** What can be done with an object of this type, as far as its discovery and its fields tell. */
function actionsOf(type: ResourceType, object: ApiObject): Action[] {
  const path = objectPath(type, object.metadata.namespace, object.metadata.name)
  const patch = (body: object) =>
    changeObject(path, { method: 'PATCH', body, contentType: mergePatch, query: { fieldManager } })
  const actions: Action[] = []
  const { groups, restartAnnotation } = settings.value
  if (type.subresources.includes('scale'))
    actions.push({ title: 'Scale', needs: ['patch', `${type.resource}/scale`], dialog: 'scale' })
  const hasTemplate = object['spec']?.template?.spec?.containers !== undefined && object['spec']?.selector !== undefined
  if (hasTemplate && type.resource !== 'jobs' && type.resource !== 'replicasets')
    actions.push({
      title: 'Restart',
      needs: ['patch', type.resource],
      async run() {
        await patch({
          spec: { template: { metadata: { annotations: { [restartAnnotation]: new Date().toISOString() } } } },
        })
        return 'is being restarted'
      },
    })
  if (typeof object['spec']?.suspend === 'boolean')
    actions.push({
      title: object['spec'].suspend ? 'Resume' : 'Suspend',
      needs: ['patch', type.resource],
      async run() {
        await patch({ spec: { suspend: !object['spec'].suspend } })
        return object['spec'].suspend ? 'has been resumed' : 'has been suspended'
      },
    })
  if (type.group === groups.certificates && type.subresources.includes('approval')) {
    const isDecided = ((object['status']?.conditions ?? []) as Anything[]).some(
      ({ type: kind }) => kind === 'Approved' || kind === 'Denied',
    )
    if (!isDecided)
      actions.push(
        {
          title: 'Approve',
          needs: ['update', `${type.resource}/approval`],
          run: () => decide(path, object, 'Approved'),
        },
        {
          title: 'Deny',
          needs: ['update', `${type.resource}/approval`],
          run: () => decide(path, object, 'Denied'),
          isDanger: true,
        },
      )
  }
  if (type.group === '' && type.resource === 'serviceaccounts')
    actions.push({ title: 'Token', needs: ['create', 'serviceaccounts/token'], dialog: 'token' })
  if (type.verbs.includes('delete'))
    actions.push({ title: 'Delete', needs: ['delete', type.resource], dialog: 'delete', isDanger: true })
  return actions
}

async function decide(path: ObjectPath, object: ApiObject, decision: 'Approved' | 'Denied'): Promise<string> {
  const condition = {
    type: decision,
    status: 'True',
    reason: 'ConsoleDecision',
    message: 'Decided in the console.',
    lastUpdateTime: new Date().toISOString().replace(/\.\d+/, ''),
  }
  const conditions = [...(object['status']?.conditions ?? []), condition]
  await changeObject(path, {
    method: 'PUT',
    subresource: 'approval',
    query: { fieldManager },
    body: { ...object, status: { ...object['status'], conditions } },
  })
  return decision === 'Approved' ? 'has been approved' : 'has been denied'
}

export function Actions({ type, object }: TabProps) {
  const open = useSignal<Action['dialog'] | undefined>(undefined)
  const failure = useSignal<unknown>(undefined)
  const { namespace, name } = object.metadata
  const run = async (action: Action) => {
    if (action.dialog) open.value = action.dialog
    else
      try {
        notify(`${type.kind} ${name} ${await action.run!()}.`)
      } catch (failed) {
        failure.value = failed
      }
  }
  return (
    <div class="actions">
      {actionsOf(type, object).map(action => {
        const [verb, resource] = action.needs
        const isForbidden = may(verb, type.group, resource, namespace, name) === false
        return (
          <button
            key={action.title}
            type="button"
            class={action.isDanger ? 'danger' : ''}
            disabled={isForbidden}
            title={isForbidden ? 'Not permitted' : undefined}
            onClick={() => void run(action)}
          >
            {action.title}
          </button>
        )
      })}
      {failure.value !== undefined && (
        <Dialog title="That did not work" onClose={() => (failure.value = undefined)}>
          <Failure failure={failure.value} />
        </Dialog>
      )}
      {open.value === 'scale' && <ScaleDialog type={type} object={object} onClose={() => (open.value = undefined)} />}
      {open.value === 'token' && <TokenDialog type={type} object={object} onClose={() => (open.value = undefined)} />}
      {open.value === 'delete' && <DeleteDialog type={type} object={object} onClose={() => (open.value = undefined)} />}
    </div>
  )
}

interface DialogProps extends TabProps {
  onClose(): void
}

function ScaleDialog({ type, object, onClose }: DialogProps) {
  const replicas = useSignal(String(object['spec']?.replicas ?? 1))
  const failure = useSignal<unknown>(undefined)
  const submit = async (event: Event) => {
    event.preventDefault()
    try {
      await changeObject(objectPath(type, object.metadata.namespace, object.metadata.name), {
        method: 'PATCH',
        subresource: 'scale',
        query: { fieldManager },
        contentType: mergePatch,
        body: { spec: { replicas: Number(replicas.value) } },
      })
      notify(`${type.kind} ${object.metadata.name} is to have ${replicas.value}.`)
      onClose()
    } catch (failed) {
      failure.value = failed
    }
  }
  return (
    <Dialog title={`Scale ${object.metadata.name}`} onClose={onClose}>
      <form class="fields" onSubmit={submit}>
        {failure.value !== undefined && <Failure failure={failure.value} />}
        <label>
          Replicas
          <input
            type="number"
            min="0"
            step="1"
            required
            value={replicas.value}
            onInput={event => (replicas.value = event.currentTarget.value)}
          />
        </label>
        <div class="buttons">
          <button type="submit" class="primary">
            Scale
          </button>
        </div>
      </form>
    </Dialog>
  )
}

const tokenHours = [1, 8, 24]
function TokenDialog({ type, object, onClose }: DialogProps) {
  const hours = useSignal(1)
  const token = useSignal('')
  const failure = useSignal<unknown>(undefined)
  const submit = async (event: Event) => {
    event.preventDefault()
    try {
      const request = {
        apiVersion: `${settings.value.groups.authentication}/v1`,
        kind: 'TokenRequest',
        spec: { expirationSeconds: hours.value * 3600 },
      }
      const path = `${objectPath(type, object.metadata.namespace, object.metadata.name)}/token`
      const answer = await requestJson(path, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(request),
      })
      token.value = answer.status.token
    } catch (failed) {
      failure.value = failed
    }
  }
  return (
    <Dialog title={`A token of ${object.metadata.name}`} onClose={onClose}>
      <form class="fields" onSubmit={submit}>
        {failure.value !== undefined && <Failure failure={failure.value} />}
        <label>
          Valid for
          <select value={String(hours.value)} onChange={event => (hours.value = Number(event.currentTarget.value))}>
            {tokenHours.map(each => (
              <option key={each} value={String(each)}>
                {each === 1 ? '1 hour' : `${each} hours`}
              </option>
            ))}
          </select>
        </label>
        {token.value && (
          <label>
            Token, shown only here
            <textarea readOnly rows={6} spellcheck={false} value={token.value} />
          </label>
        )}
        <div class="buttons">
          <button type="submit" class="primary">
            Create token
          </button>
        </div>
      </form>
    </Dialog>
  )
}
