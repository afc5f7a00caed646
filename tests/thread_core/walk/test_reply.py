"""What a person means by a line: whole forms of the table, and questions and reports that hold their words."""

from __future__ import annotations

import re
import time

import pytest

from thread_core.walk import reply
from thread_core.walk.replies import Replies, replies, table
from thread_core.walk.reply import Event, Reply, approves, hedges, parse


def listed(lines: str) -> list[str]:
    """What is said in some lines, parted by strokes."""
    return re.split(r"[|\n]", lines.strip("\n"))


SAID = {
    Event.YES: """
yes| Yep! |YES.|yes it is|Yes, I do.|yes i can see it|it does|y|sure|correct|yes ok|yes, please|Yes, thanks a lot!|👍
yes 👍🏽|\u201cyes\u201d|**yes**|ok yes|oh yes|ja|Ja, stimmt.|oui|SÍ|sim|sì|tak|はい。|是的|نعم|si
""",
    Event.NO: """
no|Nope.|n|no it isn't|No, it does not.|no it doesnt|I don\N{RIGHT SINGLE QUOTATION MARK}t|it is not|not at all
not really|no thanks|👎|no 👎|NO!!!|no, they aren't|I haven't|nein|non|na\u0303o|Nao|nie|いいえ|没有|لا
""",
    Event.DONE: """
done|Done.|ok|okay|did that|finished|all done|done that|I did|ready|got it|I have done that already|it's done
step completed|All steps shown have been completed successfully.|done, what next?|Done. What next?|ok what now
what now|and now?|then what?|whats next|That's done. And now?|yes, done|ok, done|DONE!!!|✅|done ✅|done 🎉|done pls
thx, done|- done|> `done`|well, I did it|perfect, thanks|dnoe|finishd|what do i do enxt|fertig|und jetzt?|c'est fait
C\N{RIGHT SINGLE QUOTATION MARK}est fait !|hecho|¿Y ahora qué?|feito|fatto|e adesso?|gotowe|co dalej?|完了しました
好了|然后呢？|تم|ماذا الآن؟
""",
    Event.NEXT: """
next|Next!|go on|continue|next step|next please|carry on|proceed|move on|next?|done, next|done. next please
Done, next?|yes, next|done and next|ok next|done next|go to the next step|Please continue with the procedure.
no idea, next|no. go on|nxet|contiune|procede|next setp|NEXT STEP 🚀|good next|weiter|suivant|l'étape suivante
siguiente|próximo|proximo|avanti|dalej|次へ|下一步|التالي|ja, weiter|好的，继续
""",
    Event.BACK: """
back|go back please|previous step|undo that|oops, back please|no wait, go back|go bakc|oops, wrong one
can we go back?|I want to go back|hold on, go back|zurück|zuruck|retour|atrás|voltar|indietro|wróć|戻る|返回|رجوع
""",
    Event.SKIP: """
skip|skip this|Skip it please.|skip this for now|let me skip this step|yes, skip|skpi|skip ths|überspringen|passer
omitir|pular|salta|pomiń|スキップ|跳过|تخطي
""",
    Event.RESTART: """
start over|restart|lets start over|from the beginning|begin again please|strat over|von vorne|recommencer
empezar de nuevo|recomeçar|ricominciare|od nowa|最初から|重新开始
""",
    Event.WHERE: """
where am I|Where are we?|show again|repeat|say that again|could you repeat that?|wait|hold on a sec|not yet
no, not yet|one moment, please|1 sec|ok wait|I haven't done that yet|let me check|still working on it
The user has not responded yet.|🎉|\u200b|hodl on|wo bin ich?|où suis-je ?|noch nicht|espera|ainda não|aspetta
jeszcze nie|待って|等一下
""",
    Event.WHY: """
why|Why?|why this|why should I|but why?|why do I have to do that|whyy this step|warum?|pourquoi|¿Por qué?|por quê?
perché|dlaczego?|なぜ？|为什么？|لماذا؟
""",
    Event.STOP: """
stop|STOP!|cancel|abort|don't run that|dont run it|please stop it|no, stop|can you stop?|quit|nvm|done, stop|cancle
stopp|abbrechen|annuler|cancelar|annulla|anuluj|停止
""",
    Event.HAND_OVER: """
I give up|hand over|escalate|talk to a human|agent|human pls|can I talk to a human?|i want to speak to a real person
call support|I giev up|ok, I give up|no, I give up|ich gebe auf|j'abandonne|me rindo|desisto|mi arrendo|poddaję się
諦めます|转人工|أستسلم
""",
    Event.UNSURE: """
I don't know|no idea|not sure|hm|Hmm...|?|???|can't tell|help|huh?|I am lost|idk lol|no clue tbh|maybe|probably not
what?|I dont knwo|done, not sure|🤷\u200d♂\ufe0f|yes and no|Yes. No.|yes 👎|It works now. Still broken.|back, next
weiß nicht|keine Ahnung|je ne sais pas|no sé|não sei|non lo so|nie wiem|わかりません|不知道
""",
    Event.SOLVED: """
solved|it works now|fixed|problem solved|that fixed it|it's working again|all good now|It works!
Great, it works now, thanks!|yes, it works|done, it works|no, it works|solvd|it wroks now|gelöst|es geht wieder!
problème résolu|ça marche|problema resuelto|funcionou|risolto|działa|解決しました|已解决|تم الحل
""",
    Event.NOT_SOLVED: """
still broken|it did not work|didn't help|same problem|still the same|no change|nothing changed|that didn't work
not solved|still not working|Still not working :(|no, it didn't work|No. Still broken.
I did it, it still doesn't work|done, same problem|still brokn|it didnt wrok|not solvd|geht nicht|hat nicht geholfen
toujours pas|ça ne marche pas|sigue igual|não ajudou|non funziona|nie działa|解決しません|还是不行|لا يعمل
""",
    Event.ASK: """
is red bad?|is the red lamp bad|how do I quarantine a machine|can I skip this?|can i skip this|why is it red
where is the valve|what does E7 mean|so how long should I wait|yes?|ok?|done?|solved?|2?|done, skip?
The lamp is red. What does that mean?|it is red?|is it? 🤔|do you know where it is? I lost it|was ist das
Wie lange dauert das|c'est quoi|¿dónde está la válvula?|o que é isso|come faccio|gdzie jest zawór|これは何ですか
阀门在哪里|这个正常吗|ما هو هذا
""",
    Event.REPORT: """
the back light is on|next to the pump it drips|it is done by another team|yes lamp is red on the left
ok is printed in green|no pods are listed|stop button does not react|done is greyed out|is red|help button is grey
agent is offline|restart failed|does not start|it works on my phone|yes, the lamp is red|no, it is green
done, but one pin is missing|ok but red|done. still red|when I unplug it it works|what I see is E7|I did the reset
did that, still red|the same lamp as before|none of these|the last one|pass|good|right|none|continue is disabled
wait state|2 lights|2%|-2|\N{MINUS SIGN}2|2.5|.5|1,000|404|0|$2|2 hours|step 2|1 and 3|2 or 3|1 2|the first two
option 2 3|good one|1. Done|no. 3 pods|option 0n|NotReady|skp|yse|nno|lack|words|fired|laser|note|now mixed
i can tell|no charge|nextto|die Lampe ist rot|zurück zum Anfang der Liste|pas de lumière|no hay luz|ランプが赤い
灯是红色的
""",
}
CHOSEN = {
    "2": """
2| 2. |#2|(2)|[2]|**2**|2!|2)|option 2|Option 2.|option two|number two|two|the second one|second|2nd|the 2nd option
I take the second one|Outcome: 2|outcome 2|User selected option 2|2 please|ok, 2|yes, 2|2 👍|2\ufe0f\u20e3|２
die zweite|Nummer 2|option deux|la segunda|opção 2|il secondo|druga|2番|第二个|٢
""",
    "10": "10|the tenth one|ten|option 10|[10]|十|١٠",
    "1": "Outcome: 1|[1]|**1**|1.|first|the first one|i choose no. 1",
    "12": "12|option 12",
}


@pytest.mark.parametrize(
    ("line", "intent"),
    [
        *((line, intent) for intent, lines in SAID.items() for line in listed(lines)),
        *[("done\nnext", Event.NEXT), ("   ", Event.WHERE), ("", Event.WHERE)],
    ],
)
def test_a_line_has_one_meaning(line: str, intent: Event) -> None:
    assert parse(line) == Reply(intent, line.strip())


@pytest.mark.parametrize(
    ("line", "number"), [(line, number) for number, lines in CHOSEN.items() for line in listed(lines)]
)
def test_of_a_choice_the_digits_are_left(line: str, number: str) -> None:
    assert parse(line) == Reply(Event.CHOOSE, number)


@pytest.mark.parametrize(
    ("parts", "intent"),
    [
        ("still broken, stop", Event.STOP),
        ("it works, I give up", Event.HAND_OVER),
        ("go back, no change", Event.BACK),
        ("no change, skip", Event.NOT_SOLVED),
        ("fixed, next", Event.SOLVED),
        ("skip, next", Event.SKIP),
        ("why? wait", Event.WHY),
        ("wait, next", Event.WHERE),
        ("next, no idea", Event.NEXT),
        ("no idea, done", Event.UNSURE),
        ("no, done", Event.DONE),
        ("yes, done", Event.DONE),
    ],
)
def test_of_several_forms_the_strongest_counts(parts: str, intent: Event) -> None:
    assert parse(parts).event is intent


def test_two_meanings_of_a_form_are_noticed() -> None:
    with pytest.raises(ValueError, match="'so' is yes and no: keep one of its meanings"):
        Replies({}, {}, {"xx": {"yes": "so, si", "no": "no"}, "yy": {"no": "So!"}})


def test_the_table_names_intents_and_lists_alone_and_no_form_is_a_number() -> None:
    read, columns = replies(), table()
    names = {intent.name.lower() for intent in Event} | read.lists.keys()
    assert {name for language in columns.keys() - {"signs", "numbers"} for name in columns[language]} <= names
    assert not read.forms.keys() & read.numbers.keys()
    assert not {word for word in read.lists["words"] if reply._corrected(word)}


@pytest.mark.parametrize(
    "text",
    listed("""
yes|Yes!|yes, please|yes pls|yep|sure|run it|Yes, run it.|please run it|do it|approved|Approved.|**approved**
approve|I approve this command.|approved, go ahead|confirmed|go ahead|go|yes, go|LGTM!|Yes. Run the command.
of course
"""),
)
def test_leave_is_given_by_these_words_alone(text: str) -> None:
    assert approves(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "yes\nno",
        *listed("""
ja|oui|sí|si|はい|是|ok|okay|d'accord|vale|alles klar|👍|✅|...|yes, but|yes but once|lol yes|yes 😂|yes?|run it?
not approved|approved by Ann|no go|go on m2|I confirm it is red|got it|cool|done|next|go on|yes, no|yes and no
don't run it|run it on m2|run it, then stop|yse|yeah right|I do|yes it is|please
"""),
    ],
)
def test_nothing_else_gives_leave(text: str) -> None:
    assert not approves(text)


@pytest.mark.parametrize(
    "text",
    listed("""
maybe red|I think it is red|not sure, red|either red or amber|red or amber|it seems red|probably red|it might be red
it could be red|sort of red|red, but dim|RED. HOWEVER, dim|red except at night|red although it was reset
i dont know, red|I can\N{RIGHT SINGLE QUOTATION MARK}t tell|vielleicht rot|rot oder gelb|peut-être rouge
creo que es roja|acho que sim|forse|może|たぶん赤です|可能是红色|ربما
"""),
)
def test_a_report_is_hedged_by_a_whole_word(text: str) -> None:
    assert hedges(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        *listed("""
red|the order is red|the button is red|a mighty noise|it could not be sent|the exception is E7|an error appears
the thought of it|la luz es más roja|die Order ist rot|不是红色
"""),
    ],
)
def test_a_report_is_plain(text: str) -> None:
    assert not hedges(text)


@pytest.mark.parametrize(
    "unit", ["a", "ok ", "yes, ", "? ", "é", "👍", "是", "1", "'", "\u0301", "thank you so ", "no\n"]
)
def test_a_long_line_is_read_at_once(unit: str) -> None:
    line = f"{unit * (100_000 // len(unit))}x"
    begun = time.process_time()
    assert parse(line).event in (Event.ASK, Event.REPORT)
    assert not approves(line)
    assert not hedges(line)
    assert time.process_time() - begun < 1


def test_halves_of_a_character_are_no_text() -> None:
    assert parse("lamp \ud83d").text == "lamp \N{REPLACEMENT CHARACTER}"
