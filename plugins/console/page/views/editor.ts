import {
  autocompletion,
  type Completion,
  type CompletionContext,
  closeBrackets,
  completionKeymap,
} from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { yaml } from '@codemirror/lang-yaml'
import { foldGutter, HighlightStyle, indentUnit, StreamLanguage, syntaxHighlighting } from '@codemirror/language'
import { type Diagnostic, linter, lintGutter } from '@codemirror/lint'
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search'
import { Compartment, EditorState, type Extension, RangeSet } from '@codemirror/state'
import {
  drawSelection,
  EditorView,
  GutterMarker,
  gutter,
  highlightActiveLine,
  hoverTooltip,
  keymap,
  lineNumbers,
} from '@codemirror/view'
import { tags } from '@lezer/highlight'

/** A tokenizer for highlighting. JSON is read-only here, so no parser is necessary. */
const json = StreamLanguage.define<null>({
  token(stream) {
    if (stream.eatSpace()) return null
    if (stream.match(/^"(?:[^"\\]|\\.)*"(?=\s*:)/)) return 'propertyName'
    if (stream.match(/^"(?:[^"\\]|\\.)*"/)) return 'string'
    if (stream.match(/^-?\d[\d.eE+-]*/)) return 'number'
    if (stream.match(/^(?:true|false|null)\b/)) return 'atom'
    stream.next()
    return null
  },
})

/** The text editor, loaded on demand. */

export interface OwnerMark {
  readonly line: number
  readonly text: string
  readonly title: string
  readonly color: number
}
export interface EditorOptions {
  readonly text: string
  readonly format: 'yaml' | 'json'
  readonly label: string
  /** The field managers of lines. */
  readonly marks?: readonly OwnerMark[]
  readonly onChange?: (text: string) => void
  readonly problems?: (text: string) => readonly Diagnostic[]
  readonly complete?: (text: string, position: number) => readonly Completion[]
  /** Documentation of the field at a position. */
  readonly describe?: (text: string, position: number) => string | undefined
}
export interface Editor {
  setText(text: string): void
  setMarks(marks: readonly OwnerMark[]): void
  setEditable(isEditable: boolean): void
  text(): string
  close(): void
}

// Custom properties are inherited by the shadow tree, so the editor follows the color scheme of the page.
const colors = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--syntax-key)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--syntax-text)' },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], color: 'var(--syntax-number)' },
  { tag: tags.comment, color: 'var(--muted)', fontStyle: 'italic' },
])
const theme = EditorView.theme({
  '&': { color: 'var(--text)', backgroundColor: 'var(--surface)', fontSize: '13px', height: '100%' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.55' },
  '.cm-content': { caretColor: 'var(--text)' },
  '.cm-gutters': { backgroundColor: 'var(--raised)', color: 'var(--muted)', borderRight: '1px solid var(--line)' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--hover)' },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-2px' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-selectionBackground, &.cm-focused .cm-selectionBackground': { backgroundColor: 'var(--selection) !important' },
  '.cm-tooltip': {
    backgroundColor: 'var(--raised)',
    color: 'var(--text)',
    border: '1px solid var(--line)',
    maxWidth: '32rem',
  },
  '.cm-tooltip-hover': { padding: '6px 10px', whiteSpace: 'pre-wrap' },
  '.cm-panels': { backgroundColor: 'var(--raised)', color: 'var(--text)' },
  '.owners': { width: 'min(10.5rem, 22vw)', fontSize: '11px' },
  '.owners .cm-gutterElement': { padding: '0 8px', overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
  ...Object.fromEntries(
    [0, 1, 2, 3, 4, 5].map(at => [
      `.owner-${at}`,
      {
        boxShadow: `inset 3px 0 0 var(--owner-${at})`,
        paddingLeft: '8px',
        display: 'block',
        overflow: 'hidden',
        textOverflow: 'ellipsis',
      },
    ]),
  ),
})

class OwnerMarker extends GutterMarker {
  readonly #mark: OwnerMark
  readonly #isFirst: boolean
  constructor(mark: OwnerMark, isFirst: boolean) {
    super()
    this.#mark = mark
    this.#isFirst = isFirst
  }
  override toDOM(): Node {
    const element = document.createElement('span')
    element.className = `owner-${this.#mark.color}`
    element.textContent = this.#isFirst ? this.#mark.text : '\u00a0'
    element.title = this.#mark.title
    return element
  }
}

function ownersGutter(state: EditorState, marks: readonly OwnerMark[]): Extension {
  if (marks.length === 0) return []
  const sorted = marks.filter(({ line }) => line <= state.doc.lines).sort((left, right) => left.line - right.line)
  const ranges = sorted.map((mark, at) => {
    const before = sorted[at - 1]
    const isFirst = before?.text !== mark.text || before.line !== mark.line - 1
    return new OwnerMarker(mark, isFirst).range(state.doc.line(mark.line).from)
  })
  return gutter({ class: 'owners', markers: () => RangeSet.of(ranges) })
}

/** In a shadow tree, CodeMirror uses constructed style sheets; the security policy forbids its style elements. */
export function openEditor(place: HTMLElement, options: EditorOptions): Editor {
  const root = place.shadowRoot ?? place.attachShadow({ mode: 'open' })
  const [editable, owners] = [new Compartment(), new Compartment()]
  const readOnly = [EditorState.readOnly.of(true), EditorView.editable.of(true)]
  const { onChange, problems, complete, describe } = options
  const state = EditorState.create({
    doc: options.text,
    extensions: [
      owners.of([]),
      lineNumbers(),
      foldGutter(),
      drawSelection(),
      history(),
      closeBrackets(),
      highlightActiveLine(),
      highlightSelectionMatches(),
      search({ top: true }),
      indentUnit.of('  '),
      EditorState.tabSize.of(2),
      options.format === 'yaml' ? yaml() : json,
      syntaxHighlighting(colors),
      theme,
      EditorView.contentAttributes.of({ 'aria-label': options.label }),
      keymap.of([...defaultKeymap, ...historyKeymap, ...searchKeymap, ...completionKeymap]),
      editable.of(readOnly),
      ...(onChange
        ? [EditorView.updateListener.of(({ docChanged, state: next }) => docChanged && onChange(next.doc.toString()))]
        : []),
      ...(problems ? [linter(view => [...problems(view.state.doc.toString())], { delay: 300 }), lintGutter()] : []),
      ...(complete
        ? [autocompletion({ override: [(context: CompletionContext) => completionsOf(context, complete)] })]
        : []),
      ...(describe ? [documentation(describe)] : []),
    ],
  })
  const view = new EditorView({ state, parent: root, root })
  const setMarks = (marks: readonly OwnerMark[]) =>
    view.dispatch({ effects: owners.reconfigure(ownersGutter(view.state, marks)) })
  setMarks(options.marks ?? [])
  return {
    setText(text) {
      if (text !== view.state.doc.toString())
        view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } })
    },
    setMarks,
    // Tab indents while editing; otherwise it moves the focus, as does Escape followed by Tab.
    setEditable: isEditable =>
      view.dispatch({ effects: editable.reconfigure(isEditable ? keymap.of([indentWithTab]) : readOnly) }),
    text: () => view.state.doc.toString(),
    close: () => view.destroy(),
  }
}

function completionsOf(context: CompletionContext, complete: NonNullable<EditorOptions['complete']>) {
  const word = context.matchBefore(/[\w.-]*/)
  if (!word || (word.from === word.to && !context.explicit)) return null
  return { from: word.from, options: complete(context.state.doc.toString(), context.pos), validFor: /^[\w.-]*$/ }
}

const documentation = (describe: NonNullable<EditorOptions['describe']>) =>
  hoverTooltip((view, position) => {
    const text = describe(view.state.doc.toString(), position)
    if (!text) return null
    return {
      pos: position,
      create() {
        const dom = document.createElement('div')
        dom.textContent = text
        return { dom }
      },
    }
  })
