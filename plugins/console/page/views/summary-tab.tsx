import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import type { Anything, ApiObject } from '../model/api.js'
import { findKind } from '../model/catalogue.js'
import { decodeRequest } from '../model/certificate-request.js'
import { FieldManagers } from '../model/field-managers.js'
import { viewOf } from '../model/owner-tree.js'
import { conditionTone } from '../model/problems.js'
import { isSecretType, withHiddenValues } from '../model/secret-values.js'
import { settings } from '../model/session.js'
import { Fields } from './fields.js'
import { Ago, Chips, LongText, scrollable } from './parts.js'
import { PluginPanels } from './plugin-page.js'
import type { TabProps } from './tab-props.js'

/** Metadata, conditions and fields of an object. */
export function SummaryTab({ type, object }: TabProps) {
  const { metadata } = object
  const isRequest = type.group === settings.value.groups.certificates && type.resource === 'certificatesigningrequests'
  const isSecret = isSecretType(type)
  const managers = useMemo(() => new FieldManagers(object), [object])
  const rest = Object.entries(object).filter(
    ([name]) =>
      !['apiVersion', 'kind', 'metadata'].includes(name) && !(isSecret && (name === 'data' || name === 'stringData')),
  )
  return (
    <div class="summary">
      {metadata.deletionTimestamp && <Terminating object={object} />}
      {object['status']?.lastError && <LastError of={object['status'].lastError} />}
      <section class="card">
        <h2>Metadata</h2>
        <dl>
          <dt>Created</dt>
          <dd>
            <Ago time={metadata.creationTimestamp} /> ago
          </dd>
          <dt>Version</dt>
          <dd>
            <code>{metadata.resourceVersion}</code>
          </dd>
          <dt>UID</dt>
          <dd>
            <code>{metadata.uid}</code>
          </dd>
          {metadata.labels && (
            <>
              <dt>Labels</dt>
              <dd>
                <Chips of={metadata.labels} />
              </dd>
            </>
          )}
          {metadata.annotations && (
            <>
              <dt>Annotations</dt>
              <dd>
                <Fields value={isSecret ? withHiddenValues(object).metadata.annotations : metadata.annotations} />
              </dd>
            </>
          )}
          {metadata.ownerReferences && (
            <>
              <dt>Owned by</dt>
              <dd>
                {metadata.ownerReferences.map(owner => (
                  <Reference key={owner.uid} {...owner} namespace={metadata.namespace} />
                ))}
              </dd>
            </>
          )}
          {metadata.finalizers && (
            <>
              <dt>Finalizers</dt>
              <dd>
                <Chips of={Object.fromEntries(metadata.finalizers.map(name => [name, '']))} />
              </dd>
            </>
          )}
        </dl>
      </section>
      {isRequest && <Request request={object['spec']?.request} />}
      {Array.isArray(object['status']?.conditions) && <Conditions conditions={object['status'].conditions} />}
      {isSecret && <SecretData data={object['data'] ?? {}} />}
      <PluginPanels type={type} object={object} />
      {rest.map(([name, value]) => (
        <section key={name} class="card">
          <h2>
            <bdi>{titleOf(name)}</bdi>
          </h2>
          <Fields value={name === 'status' ? withoutShown(value) : value} path={[name]} managers={managers} />
        </section>
      ))}
    </div>
  )
}

const titleOf = (name: string) => name.charAt(0).toUpperCase() + name.slice(1)
/** Conditions and the last error are shown separately. */
const withoutShown = (status: Anything) => {
  if (status === null || typeof status !== 'object') return status
  const { conditions, lastError: _, ...rest } = status
  return Array.isArray(conditions) || conditions === undefined ? rest : { conditions, ...rest }
}

function LastError({ of: { message, stack } }: { of: Anything }) {
  return (
    <section class="notice bad" aria-label="Last error">
      <strong>The last change failed</strong>
      <p>
        <bdi>{String(message ?? '')}</bdi>
      </p>
      {stack && <LongText text={String(stack)} label="Stack" />}
    </section>
  )
}

function Terminating({ object }: { object: ApiObject }) {
  const { finalizers = [], deletionTimestamp } = object.metadata
  const reasons = ((object['status']?.conditions ?? []) as Anything[]).filter(
    ({ status, type }) => status === 'True' && /Deletion|Remaining/.test(type),
  )
  const left = [...finalizers, ...((object['spec']?.finalizers as string[]) ?? [])]
  return (
    <section class="notice bad">
      <strong>
        Terminating for <Ago time={deletionTimestamp} />
      </strong>
      {left.length > 0 ? (
        <p>
          It is removed once the controllers in charge have removed these finalizers:{' '}
          {left.map(name => (
            <code key={name}>{name}</code>
          ))}
        </p>
      ) : (
        <p>It is removed when its grace period ends.</p>
      )}
      {reasons.map(({ type, message }) => (
        <p key={type}>
          <strong>{type}</strong>: {message}
        </p>
      ))}
    </section>
  )
}

function Conditions({ conditions }: { conditions: readonly Anything[] }) {
  return (
    <section class="card">
      <h2>Conditions</h2>
      <div {...scrollable('Conditions')}>
        <table>
          <thead>
            <tr>
              <th scope="col">Type</th>
              <th scope="col">Status</th>
              <th scope="col">Since</th>
              <th scope="col">Reason</th>
              <th scope="col">Message</th>
            </tr>
          </thead>
          <tbody>
            {conditions.map(({ type, status, lastTransitionTime, lastUpdateTime, reason, message }) => (
              <tr key={type}>
                <th scope="row">{type}</th>
                <td>
                  <span class={`tag ${conditionTone(type, status)}`}>{status}</span>
                </td>
                <td>
                  <Ago time={lastTransitionTime ?? lastUpdateTime} />
                </td>
                <td>{reason}</td>
                <td>
                  <bdi>{message}</bdi>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

/** Values are hidden until the user reveals them, one by one. */
function SecretData({ data }: { data: Readonly<Record<string, string>> }) {
  const revealed = useSignal<ReadonlySet<string>>(new Set())
  const toggle = (key: string) => {
    const next = new Set(revealed.value)
    if (!next.delete(key)) next.add(key)
    revealed.value = next
  }
  return (
    <section class="card">
      <h2>Data</h2>
      <dl>
        {Object.entries(data).map(([key, value]) => (
          <>
            <dt>
              <bdi>{key}</bdi>
            </dt>
            <dd>
              {revealed.value.has(key) ? (
                <LongText text={decoded(value)} label={`Value of ${key}`} />
              ) : (
                <span class="muted">••••••••</span>
              )}{' '}
              <button type="button" class="quiet small" onClick={() => toggle(key)}>
                {revealed.value.has(key) ? 'Hide' : 'Show'} {key}
              </button>
            </dd>
          </>
        ))}
      </dl>
    </section>
  )
}
function decoded(value: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(atob(value), each => each.charCodeAt(0)))
  } catch {
    return `${value}  (base64 of binary data)`
  }
}

function Request({ request }: { request: string }) {
  let content: ReturnType<typeof decodeRequest>
  try {
    content = decodeRequest(request)
  } catch (failure) {
    return <p class="notice bad">The request cannot be read: {(failure as Error).message}</p>
  }
  return (
    <section class="card">
      <h2>Certificate request</h2>
      <dl>
        {content.subject.map(([name, value]) => (
          <>
            <dt>{name}</dt>
            <dd>
              <bdi>{value}</bdi>
            </dd>
          </>
        ))}
        <dt>Key</dt>
        <dd>{content.key}</dd>
        {content.alternativeNames.length > 0 && (
          <>
            <dt>Alternative names</dt>
            <dd>
              <Chips of={Object.fromEntries(content.alternativeNames.map(name => [name, '']))} />
            </dd>
          </>
        )}
      </dl>
    </section>
  )
}

interface ReferenceProps {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  readonly namespace?: string | undefined
}
export function Reference({ apiVersion, kind, name, namespace }: ReferenceProps) {
  const type = findKind(apiVersion, kind)
  const text = `${kind} ${name}`
  if (!type) return <span>{text}</span>
  return <a href={`#${viewOf(type, type.isNamespaced ? namespace : '', name)}`}>{text}</a>
}
