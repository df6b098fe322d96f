"""Sentences of languages, and the encodings in which texts of each were written before Unicode: python's names and the names that texts declare."""

UNICODE = [("utf-8", "UTF-8"), ("utf-8-sig", "UTF-8"), ("utf-16", "UTF-16"), ("utf-16-be-sig", "UTF-16")]

# The language: its encodings, its sentences.
LANGUAGES = {
    "de": ([("cp1252", "windows-1252"), ("iso8859-1", "ISO-8859-1"), ("iso8859-15", "ISO-8859-15")], [
        "Die Brücke über den Fluss ist größer als früher", "Am Abend hörten wir schöne Musik", "Wo hast du die Schlüssel gelassen?",
        "Das Mädchen läuft durch die Straßen", "Für Gäste gibt es süße Äpfel", "Übermorgen fährt der Zug nach Köln", "Nachrichten aus aller Welt",
        "Er trägt einen grünen Mantel"]),
    "fr": ([("cp1252", "windows-1252"), ("iso8859-15", "ISO-8859-15")], [
        "Où êtes-vous allé hier à midi ?", "La forêt était très éloignée du château", "Ça ne m'a pas gêné du tout", "Le garçon a mangé une crêpe",
        "Les élèves préfèrent la géographie", "Une journée à la mer avec Hélène", "Le journal télévisé de vingt heures", "Il a déjà répété la leçon"]),
    "es": ([("cp1252", "windows-1252"), ("iso8859-1", "ISO-8859-1")], [
        "¿Dónde está la estación de autobús?", "El niño soñaba con montañas lejanas", "Mañana habrá más información aquí", "¡Qué día tan rápido!",
        "La canción del año pasado", "Los médicos llegaron después", "Una película española muy cómica", "Él también tenía razón"]),
    "cs": ([("cp1250", "windows-1250"), ("iso8859-2", "ISO-8859-2")], [
        "Příliš žluťoučký kůň úpěl ďábelské ódy", "Včera jsme šli na procházku k řece", "Můj přítel řídí červené auto", "Děti běžely přes široké náměstí",
        "Večerní zprávy začínají v sedm hodin", "Ještě jednou děkuji za pomoc", "Učitelka četla žákům příběh", "Slunce svítilo nad střechami měst"]),
    "pl": ([("cp1250", "windows-1250"), ("iso8859-2", "ISO-8859-2")], [
        "Zażółć gęślą jaźń i pójdź do domu", "Wieczorem usiedliśmy przy stole", "Gdzie są moje książki i zeszyty?", "Chłopiec biegł przez łąkę",
        "Jutro będzie świecić słońce", "Wiadomości sportowe o szóstej", "Córka śpiewała piękną piosenkę", "Proszę mówić trochę głośniej"]),
    "hu": ([("cp1250", "windows-1250"), ("iso8859-2", "ISO-8859-2")], [
        "Árvíztűrő tükörfúrógép a műhelyben", "Tegnap este sétáltunk a folyóparton", "Hol vannak a könyveim és füzeteim?", "A kisfiú gyorsan futott az úton",
        "Holnap reggel indul a vonat", "Esti híradó hét órakor", "Szép zenét hallgattunk a kertben", "Kérem, beszéljen hangosabban"]),
    "ru": ([("cp1251", "windows-1251"), ("koi8-r", "KOI8-R"), ("cp866", "IBM866"), ("iso8859-5", "ISO-8859-5")], [
        "Вчера вечером мы гуляли по набережной", "Где находится ближайшая станция метро?", "Мальчик быстро бежал через поле", "Завтра утром поезд отправляется на север",
        "Вечерние новости начинаются в семь часов", "Она спела красивую песню о море", "Говорите, пожалуйста, немного громче", "Съешь же ещё этих мягких французских булок"]),
    "uk": ([("cp1251", "windows-1251"), ("koi8-u", "KOI8-U")], [
        "Учора ввечері ми гуляли біля річки", "Де знаходиться найближча станція метро?", "Хлопчик швидко біг через поле", "Завтра вранці потяг їде на північ",
        "Вечірні новини починаються о сьомій годині", "Вона заспівала гарну пісню про море", "Говоріть, будь ласка, трохи голосніше", "Її брат їхав у село до діда"]),
    "el": ([("cp1253", "windows-1253"), ("iso8859-7", "ISO-8859-7")], [
        "Χθες το βράδυ περπατήσαμε στην παραλία", "Πού είναι ο κοντινότερος σταθμός;", "Το αγόρι έτρεχε γρήγορα στο χωράφι", "Αύριο το πρωί φεύγει το τρένο",
        "Οι βραδινές ειδήσεις αρχίζουν στις επτά", "Τραγούδησε ένα όμορφο τραγούδι", "Μιλήστε πιο δυνατά, παρακαλώ", "Η θάλασσα ήταν ήρεμη και γαλάζια"]),
    "tr": ([("cp1254", "windows-1254"), ("iso8859-9", "ISO-8859-9")], [
        "Dün akşam sahilde yürüyüş yaptık", "En yakın istasyon nerede acaba?", "Çocuk tarlada hızla koşuyordu", "Yarın sabah tren kuzeye gidiyor",
        "Akşam haberleri saat yedide başlıyor", "Güzel bir şarkı söyledi", "Lütfen biraz daha yüksek sesle konuşun", "Gökyüzü masmavi ve ılıktı"]),
    "he": ([("cp1255", "windows-1255")], [
        "אתמול בערב הלכנו לאורך החוף", "איפה נמצאת התחנה הקרובה ביותר", "הילד רץ מהר בשדה", "מחר בבוקר יוצאת הרכבת צפונה", "חדשות הערב מתחילות בשעה שבע",
        "היא שרה שיר יפה על הים", "דברו בבקשה קצת יותר חזק", "השמיים היו כחולים ושקטים"]),
    "ar": ([("cp1256", "windows-1256"), ("iso8859-6", "ISO-8859-6")], [
        "مشينا مساء أمس على طول الشاطئ", "أين تقع أقرب محطة للقطار", "ركض الولد بسرعة في الحقل", "يغادر القطار صباح الغد إلى الشمال", "تبدأ أخبار المساء في الساعة السابعة",
        "غنت أغنية جميلة عن البحر", "تكلم من فضلك بصوت أعلى", "كانت السماء زرقاء وهادئة"]),
    "lt": ([("cp1257", "windows-1257"), ("iso8859-13", "ISO-8859-13")], [
        "Vakar vakare vaikščiojome palei jūrą", "Kur yra artimiausia stotis?", "Berniukas greitai bėgo per lauką", "Rytoj rytą traukinys važiuoja į šiaurę",
        "Vakaro žinios prasideda septintą valandą", "Ji dainavo gražią dainą", "Prašau kalbėti šiek tiek garsiau", "Dangus buvo žydras ir ramus"]),
    "th": ([("cp874", "windows-874")], [
        "เมื่อวานตอนเย็นเราเดินเล่นริมทะเล", "สถานีที่ใกล้ที่สุดอยู่ที่ไหน", "เด็กชายวิ่งเร็วผ่านทุ่งนา", "พรุ่งนี้เช้ารถไฟจะออกไปทางเหนือ", "ข่าวภาคค่ำเริ่มเวลาเจ็ดโมง", "เธอร้องเพลงไพเราะเกี่ยวกับทะเล",
        "กรุณาพูดให้ดังขึ้นอีกหน่อย", "ท้องฟ้าเป็นสีฟ้าและเงียบสงบ"]),
    "ja": ([("cp932", "Shift_JIS"), ("euc-jp", "EUC-JP")], [
        "昨日の夜、私たちは海岸を歩きました", "一番近い駅はどこですか", "男の子は野原を速く走った", "明日の朝、列車は北へ向かいます", "夕方のニュースは七時に始まります", "彼女は海についての美しい歌を歌った",
        "もう少し大きな声で話してください", "空は青くて静かだった"]),
    "ko": ([("cp949", "EUC-KR")], [
        "어제 저녁에 우리는 바닷가를 걸었습니다", "가장 가까운 역이 어디입니까", "소년은 들판을 빨리 달렸다", "내일 아침 기차는 북쪽으로 떠납니다", "저녁 뉴스는 일곱 시에 시작합니다", "그녀는 바다에 대한 노래를 불렀다",
        "조금 더 크게 말씀해 주세요", "하늘은 파랗고 조용했다"]),
    "zh-Hans": ([("gb18030", "GB18030"), ("gbk", "GBK")], [
        "昨天晚上我们在海边散步", "最近的车站在哪里", "男孩飞快地跑过田野", "明天早上火车开往北方", "晚间新闻七点开始", "她唱了一首关于大海的歌", "请说得大声一点", "天空又蓝又安静"]),
    "zh-Hant": ([("big5", "Big5")], [
        "昨天晚上我們在海邊散步", "最近的車站在哪裡", "男孩飛快地跑過田野", "明天早上火車開往北方", "晚間新聞七點開始", "她唱了一首關於大海的歌", "請說得大聲一點", "天空又藍又安靜"]),
}


def encodings():
    """All encodings, as (language, python's name, declared name)."""
    return [(language, *encoding) for language, (own, _) in LANGUAGES.items() for encoding in UNICODE + own]


def encode(text, encoding):
    if encoding == "utf-16-be-sig":
        return b"\xfe\xff" + text.encode("utf-16-be")
    return text.encode(encoding)


def sentences(random, language, count):
    """Different sentences; those of a short list again with a number."""
    own = LANGUAGES[language][1]
    found = [own[index % len(own)] + ("" if index < len(own) else f" {index}") for index in range(max(count, len(own)))]
    random.shuffle(found)
    return found[:count]
