import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { may } from '../model/access.js'
import { type Anything, type ApiObject, requestJson } from '../model/api.js'
import { type Change, changeObject, mergePatch } from '../model/change-object.js'
import { fieldManager } from '../model/changes-to-send.js'
import { objectPath } from '../model/paths.js'
import type { ResourceType } from '../model/resource-type.js'
import { settings } from '../model/session.js'
import { toYaml } from '../model/yaml-text.js'
import { ConfirmChange } from './confirm-change.js'
import { DeleteDialog } from './delete-dialog.js'
import { DiffView } from './diff-view.js'
import { Dialog, Failure, notify } from './parts.js'
import type { TabProps } from './tab-props.js'

interface Action {
  readonly title: string
  /** The required permission. */
  readonly needs: readonly [verb: string, resource: string]
  /** The diff is shown before it is made. */
  readonly change?: Change
  /** The notification when it was made: "has been suspended". */
  readonly done?: string
  readonly dialog?: 'scale' | 'token' | 'delete'
  readonly isDanger?: boolean
}

const patchOf = (body: object): Change => ({ method: 'PATCH', body, contentType: mergePatch })

/** The actions for an object, according to its type's subresources and verbs and to its own fields. */
function actionsOf(type: ResourceType, object: ApiObject): Action[] {
  const actions: Action[] = []
  const { groups, restartAnnotation } = settings.value
  if (type.subresources.includes('scale'))
    actions.push({ title: 'Scale', needs: ['patch', `${type.resource}/scale`], dialog: 'scale' })
  const hasTemplate = object['spec']?.template?.spec?.containers !== undefined && object['spec']?.selector !== undefined
  if (hasTemplate && type.resource !== 'jobs' && type.resource !== 'replicasets') {
    const annotations = { [restartAnnotation]: new Date().toISOString() }
    actions.push({
      title: 'Restart',
      needs: ['patch', type.resource],
      change: patchOf({ spec: { template: { metadata: { annotations } } } }),
      done: 'is being restarted',
    })
  }
  const suspended = object['spec']?.suspend
  if (typeof suspended === 'boolean')
    actions.push({
      title: suspended ? 'Resume' : 'Suspend',
      needs: ['patch', type.resource],
      change: patchOf({ spec: { suspend: !suspended } }),
      done: suspended ? 'has been resumed' : 'has been suspended',
    })
  const enabled = object['spec']?.enabled
  if (typeof enabled === 'boolean')
    actions.push({
      title: enabled ? 'Disable' : 'Enable',
      needs: ['patch', type.resource],
      change: patchOf({ spec: { enabled: !enabled } }),
      done: enabled ? 'has been disabled' : 'has been enabled',
    })
  if (type.group === groups.plugins) for (const action of pluginActions(type)) actions.push(action)
  if (type.group === groups.certificates && type.subresources.includes('approval')) {
    const isDecided = ((object['status']?.conditions ?? []) as Anything[]).some(
      ({ type: kind }) => kind === 'Approved' || kind === 'Denied',
    )
    if (!isDecided) actions.push(decision(type, object, 'Approved'), decision(type, object, 'Denied'))
  }
  if (type.group === '' && type.resource === 'serviceaccounts')
    actions.push({ title: 'Token', needs: ['create', 'serviceaccounts/token'], dialog: 'token' })
  if (type.verbs.includes('delete'))
    actions.push({ title: 'Delete', needs: ['delete', type.resource], dialog: 'delete', isDanger: true })
  return actions
}

/** The server acts when the value changes. */
const pluginActions = ({ resource }: ResourceType): Action[] => [
  {
    title: 'Reload',
    needs: ['patch', resource],
    change: patchOf({ spec: { reload: new Date().toISOString() } }),
    done: 'is being reloaded',
  },
  {
    title: 'Check',
    needs: ['patch', resource],
    change: patchOf({ spec: { check: new Date().toISOString() } }),
    done: 'is being checked by the conformance kit',
  },
]

function decision(type: ResourceType, object: ApiObject, decided: 'Approved' | 'Denied'): Action {
  const condition = {
    type: decided,
    status: 'True',
    reason: 'ConsoleDecision',
    message: 'Decided in the console.',
    lastUpdateTime: new Date().toISOString().replace(/\.\d+/, ''),
  }
  const conditions = [...(object['status']?.conditions ?? []), condition]
  return {
    title: decided === 'Approved' ? 'Approve' : 'Deny',
    needs: ['update', `${type.resource}/approval`],
    change: {
      method: 'PUT',
      subresource: 'approval',
      body: { ...object, status: { ...object['status'], conditions } },
    },
    done: decided === 'Approved' ? 'has been approved' : 'has been denied',
    isDanger: decided === 'Denied',
  }
}

export function Actions({ type, object }: TabProps) {
  const open = useSignal<Action | undefined>(undefined)
  const { namespace, name } = object.metadata
  const close = () => (open.value = undefined)
  const opened = open.value
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
            onClick={() => (open.value = action)}
          >
            {action.title}
          </button>
        )
      })}
      {opened?.change && (
        <ConfirmChange
          type={type}
          object={object}
          title={opened.title}
          change={opened.change}
          done={opened.done ?? ''}
          isDanger={opened.isDanger ?? false}
          onClose={close}
        />
      )}
      {opened?.dialog === 'scale' && <ScaleDialog type={type} object={object} onClose={close} />}
      {opened?.dialog === 'token' && <TokenDialog type={type} object={object} onClose={close} />}
      {opened?.dialog === 'delete' && <DeleteDialog type={type} object={object} onClose={close} />}
    </div>
  )
}

interface DialogProps extends TabProps {
  onClose(): void
}

function ScaleDialog({ type, object, onClose }: DialogProps) {
  const replicas = useSignal(String(object['spec']?.replicas ?? 1))
  const tried = useSignal<Anything>(undefined)
  const failure = useSignal<unknown>(undefined)
  const scale = (isDryRun: boolean) =>
    changeObject<Anything>(objectPath(type, object.metadata.namespace, object.metadata.name), {
      method: 'PATCH',
      subresource: 'scale',
      query: { fieldManager },
      isDryRun,
      contentType: mergePatch,
      body: { spec: { replicas: Number(replicas.value) } },
    })
  const attempt = async (isDryRun: boolean) => {
    failure.value = undefined
    try {
      const answer = await scale(isDryRun)
      if (isDryRun) tried.value = answer
      else {
        notify(`${type.kind} ${object.metadata.name} is being scaled to ${replicas.value}.`)
        onClose()
      }
    } catch (failed) {
      failure.value = failed
      tried.value = undefined
    }
  }
  useEffect(() => void (replicas.value !== '' && attempt(true)), [replicas.value])
  return (
    <Dialog title={`Scale ${object.metadata.name}`} onClose={onClose}>
      <form
        class="fields"
        onSubmit={event => {
          event.preventDefault()
          void attempt(false)
        }}
      >
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
        {tried.value && (
          <DiffView
            before={toYaml({ spec: { replicas: object['spec']?.replicas ?? 1 } })}
            after={toYaml({ spec: { replicas: tried.value.spec?.replicas ?? 0 } })}
          />
        )}
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
    <Dialog title={`Token for ${object.metadata.name}`} onClose={onClose}>
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
            Token (shown only once)
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
