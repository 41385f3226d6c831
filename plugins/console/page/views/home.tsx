import { useEffect } from 'preact/hooks'
import { may, mayWith } from '../model/access.js'
import { isReachable } from '../model/api.js'
import { areTypesKnown, chosenNamespace, findKind, listableTypes, typeLink, typeView } from '../model/catalogue.js'
import { counts, countText } from '../model/counts.js'
import { noteDrawn } from '../model/first-drawing.js'
import { viewOf } from '../model/owner-tree.js'
import { typeKey } from '../model/preferences.js'
import { followProblems, scan } from '../model/problem-scan.js'
import { grouped, type ProblemGroup } from '../model/problems.js'
import { sectionsByPurpose } from '../model/purposes.js'
import type { ResourceType } from '../model/resource-type.js'
import { type Concern, concernMetrics, concerns, followHealth, serverHealth } from '../model/server-health.js'
import { followNumbers, numbers, numbersFailure, queueNumbers } from '../model/server-numbers.js'
import { settings } from '../model/session.js'
import { now } from '../model/times.js'
import { eventTime, followWarnings, warnings, warningsState } from '../model/warnings.js'
import { whole } from './numbers.js'
import { Ago, Compound, Live } from './parts.js'

const numbersEveryMs = 5000
const shownOfGroup = 4
const shownGroups = 20
const shownWarnings = 12

/** The overview: is everything healthy, and if not, what is wrong? */
export function Home() {
  const types = listableTypes.value
  const namespace = chosenNamespace.value
  const allowed = types.filter(type => mayWith('list', type, namespace) !== false)
  useEffect(() => {
    const ends = [followHealth(), followNumbers(numbersEveryMs, concernMetrics)]
    return () => {
      for (const end of ends) end()
    }
  }, [])
  useEffect(() => (areTypesKnown.value ? followProblems(namespace) : undefined), [areTypesKnown.value, namespace])
  useEffect(() => followWarnings(namespace), [namespace])
  const isDrawn = scan.value !== undefined
  useEffect(() => {
    if (isDrawn) noteDrawn()
  }, [isDrawn])
  return (
    <div class="view home">
      <header class="title">
        <h1>{settings.value.title}</h1>
        <Verdict />
        <p class="muted">
          {areTypesKnown.value
            ? `${types.length} types are served, ${allowed.length} of which you may list${namespace && ` in the namespace ${namespace}`}.`
            : 'Loading types…'}
        </p>
      </header>
      <Tiles />
      <div class="columns">
        <Failing />
        <Warnings />
      </div>
      <ByPurpose />
    </div>
  )
}

const allConcerns = (): Concern[] => (numbersFailure.value ? [] : concerns(now.peek()))

function Verdict() {
  const found = scan.value
  const health = serverHealth.value
  if (!isReachable.value || health?.isReady === false) return <span class="verdict bad">The server is not healthy</span>
  if (!found || !health) return <span class="verdict">Checking…</span>
  const [bad, warn] = ['bad', 'warn'].map(
    severity =>
      found.problems.filter(each => each.severity === severity).length +
      allConcerns().filter(each => each.severity === severity).length,
  )
  if (bad) return <span class="verdict bad">{bad === 1 ? '1 problem' : `${bad} problems`}</span>
  if (warn) return <span class="verdict warn">{warn === 1 ? '1 warning' : `${warn} warnings`}</span>
  // Without full permissions, problems may exist in objects that the user cannot list.
  return <span class="verdict good">{may('*', '*', '*') ? 'Everything is healthy' : 'No problems found'}</span>
}

interface TileProps {
  readonly title: string
  readonly state: 'good' | 'warn' | 'bad' | ''
  readonly value: string
  readonly detail: string
  readonly href?: string | undefined
}
const Tile = ({ title, state, value, detail, href }: TileProps) => {
  const content = (
    <>
      <span class="muted">{title}</span>
      <strong class={`value-of ${state}`}>{value}</strong>
      <span class="muted small">{detail}</span>
    </>
  )
  return <li>{href ? <a href={href}>{content}</a> : <div>{content}</div>}</li>
}

function Tiles() {
  const health = serverHealth.value
  const failing = health?.checks.filter(({ isOk }) => !isOk) ?? []
  const loops = queueNumbers(numbers.value.samples)
  const concerned = allConcerns()
  const loopErrors = concerned.filter(({ key }) => key.startsWith('loop ')).length
  const nodes = scan.value?.nodes
  const nodeType = findKind('v1', 'Node')
  const objects = [...counts.value.values()].reduce((sum, count) => sum + count, 0)
  return (
    <ul class="tiles" aria-label="Health">
      <Tile
        title="Server"
        state={!isReachable.value || health?.isReady === false ? 'bad' : health ? 'good' : ''}
        value={!isReachable.value ? 'Not reachable' : health?.isReady === false ? 'Not ready' : health ? 'Ready' : '…'}
        detail={
          failing.length > 0
            ? `failing: ${failing.map(({ name }) => name).join(', ')}`
            : health && health.checks.length > 0
              ? `${health.checks.length} checks pass`
              : ''
        }
        href="#/server"
      />
      <Tile
        title="Control loops"
        state={loopErrors > 0 ? 'warn' : loops.length > 0 ? 'good' : ''}
        value={
          numbersFailure.value
            ? 'Not permitted'
            : loopErrors > 0
              ? `${loopErrors} with errors`
              : loops.length > 0
                ? 'Running'
                : numbers.value.moments.length > 0
                  ? 'None'
                  : '…'
        }
        detail={loops.length > 0 ? `${loops.length} queues` : ''}
        href="#/server"
      />
      <Tile
        title="Nodes"
        state={!nodes ? '' : nodes.ready < nodes.all ? 'bad' : nodes.all > 0 ? 'good' : ''}
        value={nodes ? (nodes.all === 0 ? 'None' : `${nodes.ready} of ${nodes.all} ready`) : scan.value ? '–' : '…'}
        detail={nodes ? (nodes.all === 0 ? 'Pods are not scheduled' : '') : scan.value ? 'cannot be listed' : ''}
        href={nodeType && typeLink(nodeType)}
      />
      <Tile
        title="Objects"
        state=""
        value={objects === 0 ? '…' : whole(objects)}
        detail={chosenNamespace.value ? `in ${chosenNamespace.value}` : 'that you may list'}
      />
    </ul>
  )
}

function Failing() {
  const found = scan.value
  const groups = grouped(found?.problems ?? [])
  const concerned = allConcerns()
  return (
    <section class="card" aria-labelledby="failing">
      <h2 id="failing">Failing now</h2>
      {!found && <p class="muted">Checking all objects…</p>}
      {found && groups.length + concerned.length === 0 && <p>No problems in the objects that you may list.</p>}
      <ul class="problems">
        {concerned.map(({ key, severity, title, message, at }) => (
          <li key={key} class={severity}>
            <a href="#/server">{title}</a>
            <span class="muted small">
              <Ago time={at} /> ago
            </span>
            <p class="small">{message}</p>
          </li>
        ))}
        {groups.slice(0, shownGroups).map(group => (
          <ProblemItem key={group.key} group={group} />
        ))}
      </ul>
      {groups.length > shownGroups && <p class="muted small">and {groups.length - shownGroups} more reasons</p>}
      {found && found.partly.length > 0 && (
        <p class="muted small">Only the first 2,000 objects were checked of: {found.partly.join(', ')}</p>
      )}
    </section>
  )
}

function ProblemItem({ group: { severity, type, reason, problems } }: { group: ProblemGroup }) {
  const [newest] = problems
  const table = `#${typeView(type)}${chosenNamespace.value && type.isNamespaced ? `?ns=${encodeURIComponent(chosenNamespace.value)}` : ''}`
  return (
    <li class={severity}>
      <a href={table}>
        <Compound name={type.kind} />
      </a>{' '}
      <strong>
        <bdi>{reason}</bdi>
      </strong>
      {problems.length > 1 && <span class="tag">{whole(problems.length)} objects</span>}
      <span class="muted small">
        <Ago time={newest!.since} />
      </span>
      <p class="small">
        <bdi>{newest!.message}</bdi>
      </p>
      <p class="small names">
        {problems.slice(0, shownOfGroup).map(({ uid, namespace, name }) => (
          <a key={uid} href={`#${viewOf(type, namespace, name)}`}>
            <bdi>{namespace ? `${namespace}/${name}` : name}</bdi>
          </a>
        ))}
        {problems.length > shownOfGroup && <a href={table}>and {whole(problems.length - shownOfGroup)} more</a>}
      </p>
    </li>
  )
}

function Warnings() {
  const shown = warnings.value.slice(0, shownWarnings)
  return (
    <section class="card" aria-labelledby="warnings">
      <h2 id="warnings">
        Recent warnings <Live state={warningsState.value} />
      </h2>
      {shown.length === 0 && warningsState.value === 'live' && <p>No recent warnings.</p>}
      {warningsState.value === 'failed' && <p class="muted">Events cannot be listed.</p>}
      <ul class="problems">
        {shown.map(event => {
          const { kind, name, namespace, apiVersion } = event.involvedObject ?? event.regarding ?? {}
          const type = findKind(apiVersion ?? 'v1', kind ?? '') ?? listableTypes.value.find(each => each.kind === kind)
          return (
            <li key={event.metadata.uid} class="warn">
              {type && name ? (
                <a href={`#${viewOf(type, type.isNamespaced ? namespace : '', name, 'timeline')}`}>
                  <bdi>{`${kind} ${name}`}</bdi>
                </a>
              ) : (
                <bdi>{`${kind ?? ''} ${name ?? ''}`}</bdi>
              )}{' '}
              <strong>
                <bdi>{event.reason}</bdi>
              </strong>
              {event.count > 1 && <span class="tag">×{event.count}</span>}
              <span class="muted small">
                <Ago time={eventTime(event)} />
              </span>
              <p class="small">
                <bdi>{event.message}</bdi>
              </p>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

function ByPurpose() {
  return (
    <ul class="cards">
      {sectionsByPurpose(listableTypes.value).map(({ title, types }) => {
        const known = types.flatMap(type => counts.value.get(typeKey(type)) ?? [])
        return (
          <li key={title} class="card">
            <h2>
              <bdi>{title}</bdi>{' '}
              {known.length > 0 && <span class="muted">{whole(known.reduce((sum, count) => sum + count, 0))}</span>}
            </h2>
            <ul class="types-of">
              {types.map(type => (
                <TypeLink key={typeKey(type)} type={type} />
              ))}
            </ul>
          </li>
        )
      })}
    </ul>
  )
}

function TypeLink({ type }: { type: ResourceType }) {
  const isForbidden = mayWith('list', type, chosenNamespace.value) === false
  return (
    <li>
      <a href={typeLink(type)} class={isForbidden ? 'forbidden' : ''} title={isForbidden ? 'Not permitted' : undefined}>
        <Compound name={type.kind} />
      </a>
      <span class="muted">{isForbidden ? 'not permitted' : countText(counts.value.get(typeKey(type)))}</span>
    </li>
  )
}
