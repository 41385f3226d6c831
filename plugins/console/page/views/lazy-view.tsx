import { signal } from '@preact/signals'
import type { FunctionComponent } from 'preact'
import { useEffect } from 'preact/hooks'

/** A view whose code comes when it is first wanted, or before that in a quiet moment. */
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
      // A server that is gone for a moment has it when it is back.
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
