import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { PageSettings } from '../../settings.js'
import { type ApiObject, request } from '../model/api.js'
import type { ResourceType } from '../model/resource-type.js'
import { navigate } from '../model/route.js'
import { settings } from '../model/session.js'
import { Failure, notify } from './parts.js'

type Page = PageSettings['pages'][number]
type Mount = (element: HTMLElement, context: object) => undefined | (() => void)

/** A page that a plugin contributes. */
export function PluginPage({ name }: { name: string }) {
  const page = settings.value.pages.find(each => each.name === name && !each.type)
  if (!page) return <p class="notice">No plugin of this server has a page named {name}.</p>
  return (
    <div class="view">
      <header class="title">
        <h1>
          <bdi>{page.title}</bdi>
        </h1>
        <span class="muted">from the plugin {page.plugin}</span>
      </header>
      <Mounted page={page} object={undefined} />
    </div>
  )
}

/** Panels that plugins contribute to the pages of a type's objects. */
export function PluginPanels({ type, object }: { type: ResourceType; object: ApiObject }) {
  const panels = settings.value.pages.filter(
    page => page.type?.group === type.group && page.type.resource === type.resource,
  )
  return (
    <>
      {panels.map(page => (
        <section key={page.name} class="card" aria-label={page.title}>
          <h2>
            <bdi>{page.title}</bdi>
          </h2>
          <Mounted page={page} object={object} />
        </section>
      ))}
    </>
  )
}

function Mounted({ page, object }: { page: Page; object: ApiObject | undefined }) {
  const place = useRef<HTMLDivElement>(null)
  const failure = useSignal<unknown>(undefined)
  const current = useRef(object)
  const listeners = useRef(new Set<(object: unknown) => void>())
  useEffect(() => {
    current.current = object
    for (const call of listeners.current) call(object)
  }, [object])
  useEffect(() => {
    let end: undefined | (() => void)
    let isOver = false
    const context = {
      request: (path: string, init?: object) => {
        if (!path.startsWith('/') || path.startsWith('//'))
          throw new Error('the path must be one of this server, and begin with a single slash')
        return request(path, init)
      },
      get object() {
        return current.current
      },
      onChange(call: (object: unknown) => void) {
        listeners.current.add(call)
        return () => void listeners.current.delete(call)
      },
      navigate,
      notify,
    }
    import(page.module).then(
      ({ mount }: { mount: Mount }) => {
        if (!isOver && place.current) end = mount(place.current, context)
      },
      failed => (failure.value = failed),
    )
    return () => {
      isOver = true
      end?.()
    }
  }, [page.module])
  return (
    <>
      {failure.value !== undefined && <Failure failure={failure.value} />}
      <div ref={place} class="plugin-page" />
    </>
  )
}
