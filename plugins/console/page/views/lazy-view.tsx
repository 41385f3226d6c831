import { signal } from '@preact/signals'
import type { FunctionComponent } from 'preact'
import { useEffect } from 'preact/hooks'

/** A view whose code is loaded when it is first shown, or before that while the page is idle. */
export interface LazyView<P> {
  readonly View: FunctionComponent<P>
  load(): Promise<void>
}

const retryMs = 2000

export function lazyView<P extends object>(importIt: () => Promise<FunctionComponent<P>>): LazyView<P> {
  const loaded = signal<{ readonly Loaded: FunctionComponent<P> } | undefined>(undefined)
  const load = async () => {
    loaded.value ??= { Loaded: await importIt() }
  }
  const View = (props: P) => {
    const found = loaded.value
    useEffect(() => {
      let timer: ReturnType<typeof setTimeout>
      // The server may be unavailable for a moment.
      const attempt = () => {
        load().catch(() => {
          timer = setTimeout(attempt, retryMs)
        })
      }
      if (!found) attempt()
      return () => clearTimeout(timer)
    }, [])
    return found ? <found.Loaded {...props} /> : <p class="muted pad">Loading…</p>
  }
  return { View, load }
}
