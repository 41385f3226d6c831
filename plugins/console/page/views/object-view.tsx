import { useEffect, useMemo } from 'preact/hooks'
import { apiVersionOf, typeView } from '../model/catalogue.js'
import { LiveObject } from '../model/live-object.js'
import { viewOf } from '../model/owner-tree.js'
import type { ResourceType } from '../model/resource-type.js'
import { hasRollout } from '../model/rollout.js'
import { type ObjectTab, objectTabs } from '../model/route.js'
import { AccessTab } from './access-tab.js'
import { Actions } from './actions.js'
import { HistoryTab } from './history-tab.js'
import { LogsTab } from './logs-tab.js'
import { Failure, Live } from './parts.js'
import { ReferencesTab } from './references-tab.js'
import { RolloutTab } from './rollout-tab.js'
import { SummaryTab } from './summary-tab.js'
import type { TabProps } from './tab-props.js'
import { TerminalTab } from './terminal-tab.js'
import { TimelineTab } from './timeline-tab.js'
import { TreeTab } from './tree-tab.js'
import { YamlTab } from './yaml-tab.js'

interface Props {
  readonly type: ResourceType
  readonly namespace: string
  readonly name: string
  readonly tab: ObjectTab
}

const tabTitles: Readonly<Record<ObjectTab, string>> = {
  '': 'Summary',
  yaml: 'YAML',
  json: 'JSON',
  timeline: 'Timeline',
  logs: 'Log',
  terminal: 'Terminal',
  rollout: 'Rollout',
  tree: 'Graph',
  references: 'References',
  history: 'History',
  access: 'Access',
}

const hasTab = (type: ResourceType, tab: ObjectTab): boolean =>
  (tab !== 'logs' || type.subresources.includes('log')) &&
  (tab !== 'terminal' || type.subresources.includes('exec')) &&
  (tab !== 'rollout' || hasRollout(type))

/** The page of an object. */
export function ObjectView({ type, namespace, name, tab }: Props) {
  const live = useMemo(() => new LiveObject(type, namespace, name), [])
  useEffect(() => live.close, [])
  const object = live.object.value
  return (
    <div class="view">
      <nav class="crumbs" aria-label="Breadcrumbs">
        <a href={`#${typeView(type)}`}>
          <bdi>{type.kind}</bdi>
        </a>
        {namespace && (
          <a href={`#${typeView(type)}?ns=${encodeURIComponent(namespace)}`}>
            <bdi>{namespace}</bdi>
          </a>
        )}
      </nav>
      <header class="title">
        <h1>
          <bdi>{name}</bdi>
        </h1>
        {object && !live.isDeleted.value && <Live state={live.state.value} />}
        {live.isDeleted.value && <span class="tag bad">Deleted</span>}
        {object?.metadata.deletionTimestamp && !live.isDeleted.value && <span class="tag bad">Terminating</span>}
        <span class="spacer" />
        {object && !live.isDeleted.value && <Actions type={type} object={object} />}
      </header>
      <p class="muted small kind">
        {type.kind} · {apiVersionOf(type)}
      </p>
      {!object && live.failure.value && <Failure failure={live.failure.value} />}
      {object && (
        <>
          <div class="tabs" role="tablist" aria-label="Views of this object">
            {objectTabs
              .filter(key => hasTab(type, key))
              .map(key => (
                <a
                  key={key}
                  id={`tab-${key || 'summary'}`}
                  role="tab"
                  aria-selected={key === tab}
                  aria-controls="tab-panel"
                  href={`#${viewOf(type, namespace, name, key)}`}
                >
                  {tabTitles[key]}
                </a>
              ))}
          </div>
          <div id="tab-panel" role="tabpanel" aria-labelledby={`tab-${tab || 'summary'}`}>
            <Tab key={tab} tab={tab} type={type} object={object} />
          </div>
        </>
      )}
    </div>
  )
}

function Tab({ tab, ...props }: TabProps & { tab: ObjectTab }) {
  if (tab === 'yaml' || tab === 'json') return <YamlTab {...props} format={tab} />
  if (tab === 'timeline') return <TimelineTab {...props} />
  if (tab === 'logs') return <LogsTab {...props} />
  if (tab === 'terminal') return <TerminalTab {...props} />
  if (tab === 'rollout') return <RolloutTab {...props} />
  if (tab === 'tree') return <TreeTab {...props} />
  if (tab === 'references') return <ReferencesTab {...props} />
  if (tab === 'history') return <HistoryTab {...props} />
  if (tab === 'access') return <AccessTab {...props} />
  return <SummaryTab {...props} />
}
