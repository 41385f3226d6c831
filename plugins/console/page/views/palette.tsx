import { signal } from '@preact/signals'
import type { TargetedKeyboardEvent } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { chosenNamespace, listableTypes, typeView } from '../model/catalogue.js'
import type { ResourceType } from '../model/resource-type.js'
import { navigate } from '../model/route.js'
import { settings, signOut } from '../model/session.js'
import { mayImpersonate } from './identity-menu.js'
import { areKeysShown } from './keys-dialog.js'
import { isViewAsOpen } from './view-as.js'

export const isPaletteOpen = signal(false)

interface Choice {
  readonly key: string
  readonly title: string
  readonly detail: string
  run(): void
}
const shownChoices = 12

/** Keeps the chosen namespace. */
function withQuery(address: string, { isNamespaced }: ResourceType, text: string): string {
  const namespace = isNamespaced ? chosenNamespace.value : ''
  const query = new URLSearchParams({ ...(namespace && { ns: namespace }), ...(text && { text }) }).toString()
  return `${address}${query && `?${query}`}`
}

/** `po web` lists Pods that contain "web": the first word selects a type, the rest is a text filter. */
function choicesFor(text: string): Choice[] {
  const [first = '', ...rest] = text.trim().toLowerCase().split(/\s+/)
  const looked = rest.join(' ')
  const rank = ({ kind, resource, shortNames }: ResourceType) =>
    shortNames.includes(first) || resource === first
      ? 0
      : kind.toLowerCase().startsWith(first) || resource.startsWith(first)
        ? 1
        : 2
  const found = listableTypes.value
    .filter(({ kind, resource, group, shortNames }) =>
      `${kind} ${resource} ${group} ${shortNames.join(' ')}`.toLowerCase().includes(first),
    )
    .sort((left, right) => rank(left) - rank(right) || left.kind.localeCompare(right.kind))
  const types = found.map(type => ({
    key: `${type.resource}.${type.group}`,
    title: looked ? `${type.kind}: ${looked}` : type.kind,
    detail: `${type.resource}.${type.group || 'core'} ${type.shortNames.join(' ')}`,
    run: () => navigate(withQuery(typeView(type), type, looked)),
  }))
  const create = found
    .filter(({ verbs }) => verbs.includes('create'))
    .slice(0, 3)
    .map(type => ({
      key: `new ${type.resource}.${type.group}`,
      title: `Create ${type.kind}`,
      detail: type.group || 'core',
      run: () => navigate(withQuery(typeView(type).replace('/r/', '/new/'), type, '')),
    }))
  const commands: Choice[] = [
    {
      key: 'server',
      title: 'Server',
      detail: 'plugins, admission, control loops, storage',
      run: () => navigate('/server'),
    },
    ...settings.value.pages
      .filter(({ type }) => !type)
      .map(({ name, title }) => ({ key: `page ${name}`, title, detail: 'page', run: () => navigate(`/page/${name}`) })),
    ...(mayImpersonate()
      ? [{ key: 'view-as', title: 'View as…', detail: 'impersonate a user', run: () => (isViewAsOpen.value = true) }]
      : []),
    { key: 'keys', title: 'Keyboard shortcuts', detail: '?', run: () => (areKeysShown.value = true) },
    { key: 'sign-out', title: 'Sign out', detail: 'end this session', run: signOut },
  ]
  const matching = commands.filter(({ title, detail }) => `${title} ${detail}`.toLowerCase().includes(first))
  return first === '' ? [...matching, ...types] : [...types.slice(0, 8), ...create, ...matching]
}

export function Palette() {
  const element = useRef<HTMLDialogElement>(null)
  const [text, setText] = useState('')
  const [active, setActive] = useState(0)
  useEffect(() => element.current?.showModal(), [])
  const choices = choicesFor(text).slice(0, shownChoices)
  const close = () => (isPaletteOpen.value = false)
  const run = (choice: Choice | undefined) => {
    if (!choice) return
    close()
    choice.run()
  }
  const onKey = (event: TargetedKeyboardEvent<HTMLInputElement>) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0) {
      event.preventDefault()
      setActive((active + step + choices.length) % Math.max(choices.length, 1))
    }
    if (event.key === 'Enter') {
      event.preventDefault()
      // Fast typing may be ahead of the rendered choices.
      const typed = event.currentTarget.value
      run(typed === text ? choices[active] : choicesFor(typed)[0])
    }
  }
  return (
    <dialog ref={element} class="palette" aria-label="Search types and commands" onClose={close}>
      <input
        role="combobox"
        aria-expanded="true"
        aria-controls="choices"
        aria-activedescendant={choices[active] ? `choice-${active}` : undefined}
        aria-label="Search types and commands"
        placeholder="A type and words to search for: deploy web"
        spellcheck={false}
        autocomplete="off"
        value={text}
        onInput={event => {
          setText(event.currentTarget.value)
          setActive(0)
        }}
        onKeyDown={onKey}
      />
      <div id="choices" role="listbox" aria-label="Types and commands">
        {choices.map((choice, at) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field above
          <div
            key={choice.key}
            id={`choice-${at}`}
            role="option"
            tabIndex={-1}
            aria-selected={at === active}
            onClick={() => run(choice)}
            onMouseMove={() => at !== active && setActive(at)}
          >
            <bdi>{choice.title}</bdi>
            <span class="muted">{choice.detail}</span>
          </div>
        ))}
      </div>
      {choices.length === 0 && <p class="muted pad">No matches.</p>}
    </dialog>
  )
}
