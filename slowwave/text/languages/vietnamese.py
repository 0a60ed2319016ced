"""Vietnamese."""

from __future__ import annotations

from slowwave.text.languages.grammar import Change, Day, Language, cue
from slowwave.text.languages.phrases import Phrases, phrases_cut

_NOUN = r"(?:commit(?: message)?|pull request|pr|nhánh|branch|test|migration|bản phát hành|deploy|dependency|thư viện|comment|chú thích|tài liệu|changelog|hàm|method|class|module|file|tệp|endpoint|api|route|handler|request|response|query|truy vấn|bảng dữ liệu|cột|lỗi|thông báo lỗi|log|timestamp|ngày tháng|thời gian|số tiền|giá|mật khẩu|secret|key|token|biến|hằng số|import|bản dịch|package|service|cấu hình|script)"
_WHO = (
    r"(?:chúng tôi|chúng ta|bọn tôi|bọn mình|team|nhóm|đội|tụi mình|mình|team tôi|nhóm tôi|dự án|ở đây|bên tôi|công ty)"
)
_SUBJECT = r"(?:(?:dự án|repo|kho mã|mã nguồn|ứng dụng|app|api|backend|frontend|dịch vụ|service|trang web|website|server|máy chủ|ci|pipeline|cơ sở dữ liệu|database|csdl|hàng đợi|queue|cache|cluster|tài liệu|bản thiết kế|thiết kế|ticket|log|metrics|secret|bản phát hành|môi trường|staging|production|khách hàng|người dùng|code|test|build|package|thư viện|firmware|game|model|editor|múi giờ|nhánh(?: mặc định| chính)?|giấy phép|domain|framework|ngôn ngữ|cổng|thanh toán)(?: \w+)?(?: của (?:chúng tôi|tôi|team|nhóm|dự án))?)"

LANGUAGE = Language(
    code="vi",
    day=Day(
        constraint=Phrases(
            words="""phải tiếp tục|vẫn hoạt động|
            đừng|không được|không đụng|không thay đổi|không sửa|không thêm|không xóa|không dùng|tuyệt đối|cấm|giữ nguyên|giữ lại|phải giữ|vẫn phải|phải luôn|luôn|bắt buộc|chỉ dùng|chỉ sửa|chỉ được|không quá|không vượt quá|phải là|đảm bảo|không commit|không push|không đổi
            """,
            unless="không được như|chưa từng|chưa bao giờ|chắc là|không biết|không thấy|không tái hiện|không hiểu|không sao|luôn bị|luôn lỗi|không chạy|không hoạt động|không còn gì",
        ),
        weak=Phrases(words="chỉ|tối đa|ít nhất|thay vì"),
        acceptance=Phrases(
            words="xong khi|hoàn thành khi|cho đến khi tất cả|phải chạy được|phải pass|đều pass|tiêu chí hoàn thành"
        ),
        decision=Phrases(words="chọn|quyết định|chốt|sẽ dùng"),
        lift=Phrases(words="giờ có thể|bây giờ được phép|giờ được phép"),
        rejected=Phrases(
            opening=True,
            words="không sai|không phải|không đúng|sai rồi|sai|ý tôi không|ý tôi là|không ý tôi|tôi không yêu cầu|tôi đã nói|tôi nói rồi|bạn quên|bạn lại|bạn làm hỏng|sao bạn lại|nhầm rồi|nhầm|không, sai|dừng lại",
            unless="sai mật khẩu|không phải vội|không phải lo|không sao",
        ),
        reverted=Phrases(
            words="hoàn tác thay đổi|hoàn tác lại thay đổi|hoàn tác lại|hoàn tác commit|hoàn tác việc|revert|quay lại như cũ|khôi phục lại|trả lại như cũ|bỏ thay đổi",
            unless="nút hoàn tác",
        ),
        repeated=Phrases(
            words="đó vẫn là|vẫn là bản cũ|vẫn là cái cũ|lại quên|vẫn bị lỗi|vẫn lỗi|lỗi y như cũ|lỗi như cũ|vẫn không được|vẫn chưa được|cùng một lỗi|tôi đã nói rồi|bao nhiêu lần"
        ),
        renewed=Phrases(
            words="từ giờ|từ nay|về sau|lần sau hãy|lần sau hỏi|lần sau nhớ|sau này|đừng bao giờ|không bao giờ được làm vậy nữa"
        ),
        starters=phrases_cut("đừng |nhưng |không |chỉ |giữ "),
    ),
    lead=(
        r"(?:ok|vâng|dạ|được|được rồi|không|tốt|tuyệt|cảm ơn|hoàn hảo|và|nhưng|vậy|chào|chú ý|quan trọng|rất quan trọng|nhân tiện|à|thêm nữa|còn nữa|ngoài ra|thực ra|đính chính|tôi đổi ý rồi|tôi đổi ý|bỏ qua đi|làm ơn|ghi chú)(?: ?[–—]|[,.:;!-])+ |"
        r"(?:và|nhưng|vậy|ngoài ra|nhân tiện|làm ơn|vui lòng|hãy)(?:,)? "
    ),
    lasting_lead=(
        r"(?:hãy |xin |vui lòng |và )*(?:nhớ(?: rằng| là| kỹ)?|ghi nhớ(?: rằng| là)?|lưu ý(?: rằng| là)?|xin lưu ý(?: rằng)?|đừng quên(?: rằng| là)?|để ý(?: rằng| là)?|cho lần sau|để tham khảo sau|nguyên tắc vàng|quy tắc(?: số một)?|luôn nhớ(?: rằng)?|cần nhớ(?: rằng)?)(?: ?[–—]|[,:;!-])* (?!(?:cái gì|tôi đã|làm sao|chạy|push giúp)\b)"
    ),
    polite=r"(?:bạn có thể|có thể)(?: vui lòng)? (?=.*\b(?:luôn|không bao giờ|từ giờ|từ nay|mỗi lần|mỗi khi)\b)",
    question=r"[?？][\"')\]]*\s*$|^(?:tại sao|vì sao|sao|làm sao|ở đâu|khi nào|ai|cái gì|gì|có nên|có phải|nên)\b(?=.*\b(?:không|chưa|hay|nào)[.!]?$|.*)(?<!nên)|\b(?:được không|phải không|đúng không|hay không|hay chưa)[.!]?$",
    hypothesis=r"\bxem (?:giúp |thử |hộ )?.*\bcó\b.*\bkhông\b|\bcó nên\b|\b(?:có lẽ|có thể là|chắc là|hình như|tôi nghĩ|mình nghĩ|tôi đoán|không chắc|giá mà|hay là|biết đâu|nếu như|sẽ tốt hơn nếu|tôi muốn thử|tôi muốn làm|đang cân nhắc)\b",
    passing=r"\b(?:lần này|hôm nay|ngày mai|hôm qua|bây giờ thì|tạm thời|hiện tại|lúc này|trước mắt|chưa cần|cho đến khi tôi|cho (?:commit|pr|file|test) này|trong phiên này|chỉ xem|chỉ cần (?:xem|nói|đọc)|chỉ nói|để sau|làm tiếp sau)\b",
    condition=r"^(?:nếu|trong trường hợp|trừ khi|miễn là|khi nào)\b",
    report=r"\bkhông bao giờ (?:xuống|lên|xong|tới|đạt|hội tụ|qua)\b|\bcó gì đó sai\b|(?:\b(?:luôn|lúc nào cũng|mỗi lần|toàn|cứ|tất cả|không bao giờ)\b.*\b(?:bị lỗi|lỗi|sập|treo|crash|hỏng|chạy được|hoạt động|xong|fail|trả về|báo)\b(?!.*\b(?:phải|đừng|hãy)\b)|\b(?:đang|bị) (?:đỏ|sập|hỏng|lỗi|treo)\b|\bvấn đề (?:ở|là)\b|\blỗi (?:ở|nằm)\b)",
    spec=r"\b(?:phải|nên|cần) (?:luôn )?(?:hiển thị|hiện|mở|đóng|xuất hiện|trông)\b|\b(?:tooltip|huy hiệu|banner|biểu đồ|tab)\b.*\b(?:phải|luôn)\b|\b(?:nút|hộp thoại|cửa sổ|dòng|hàng|biểu tượng|trang|tiêu đề|thẻ|menu|trường|biểu mẫu|form|danh sách|bước|màn hình|popup|cột)\b.*\b(?:phải|nên|cần|luôn)\b|\btất cả các bước\b",
    dangling=r"^(?:nó|cái này|cái đó|điều này|việc này|chúng nó)\b|\b(?:file|tệp|hàm|method|test|nhánh|branch|commit|lỗi|thay đổi|dòng|phần|task|trang|thư mục|bước|phiên bản) (?:này|đó|kia|khác|đầu tiên|thứ hai|cuối)\b",
    joint=r"[;:] | ?[–—]+ ?| - |, (?:và|nhưng|nên|vì vậy|bởi vì) |, (?=(?:luôn|không|đừng|chỉ|hãy|từ giờ|dùng)\b)|[.!?] ",
    request=r"^(?:hãy )?(?:sửa|xem|cho tôi xem|thêm|xóa|đổi|tạo|tìm|mở|dừng|di chuyển)\b",
    shortest=10,
    lasting=(
        cue(
            "preference",
            r"^(?:ở|trong) (?:repo|dự án|team|nhóm|kho) (?:này|chúng tôi),? (?:chúng tôi |mình |bọn tôi )?(?:không|chỉ|luôn) \w+.*",
            r"^khi .{3,60}, ?(?:luôn|đừng bao giờ|không bao giờ|phải luôn) .*",
        ),
        cue(
            "constraint",
            r"^[\w ]{3,40} phải .*\btrước khi (?:commit|merge|push|deploy|phát hành|release)\b.*",
            r"\bluôn (?:được )?(?:đặt tên|bắt đầu|kết thúc|gọi)\b.*",
        ),
        cue(
            "preference",
            r"^(?:ở (?:team|nhóm|công ty|dự án) (?:của )?(?:tôi|chúng tôi|mình),? |ở đây,? )?không ai (?:được |tự |phải )?\w+.*",
            r"^tên (?:nhánh|file|biến|hàm|commit|branch|bảng|cột)\b.*\b(?:phải|luôn|không được)\b.*",
            r".{10,},? (?:luôn luôn|lúc nào cũng vậy|mọi lúc)(?: nhé)?[.!]?$",
        ),
        cue(
            "constraint",
            r"\b(?:không bao giờ|đừng bao giờ|tuyệt đối (?:không|đừng)|nghiêm cấm|cấm|không khi nào)\b(?! (?:chạy|thấy|xong|được như)\b).{4,}",
            rf"^(?:mọi|mỗi|tất cả(?: các)?|bất kỳ|các|không) {_NOUN}\b.*\b(?:phải|không được|cần|nên|đều|được|nào)\b.*",
            rf"^{_NOUN}(?: \w+){{0,3}} (?:phải|không được|luôn|nên)\b.*",
        ),
        cue(
            "preference",
            r"^(?:hãy )?luôn(?: luôn)?(?: phải)? (?!(?:bị|lỗi|sập|treo|nằm|ở|hiện)\b)\w+.{4,}",
            rf"\b{_WHO}\b.*\bluôn\b(?! (?:bị|lỗi|gặp)\b).{{4,}}",
            r"\b(?:phải|nên|hãy|viết|dùng|trả lời|chạy|bạn) (?:\w+ ){0,4}luôn\b(?! (?:bị|lỗi|nằm|ở)\b).*",
            r"^(?:mặc định|theo nguyên tắc|về nguyên tắc),? .{6,}",
        ),
        cue(
            "preference",
            r"\b(?:từ giờ(?: trở đi)?|từ nay(?: về sau| trở đi)?|kể từ (?:giờ|nay|bây giờ)|về sau|sau này|lần sau)\b(?! (?:là khi|khi nào)).{6,}",
            r".{8,}\b(?:từ giờ|từ nay|về sau)[.! ]*$",
        ),
        cue(
            "preference",
            r"\b(?:chạy|cập nhật|viết|thêm|kiểm tra|hỏi|format|tạo|báo|hãy)\b.*\b(?:trước|sau|với|cho|trong) mỗi (?!(?:dòng|bước|trang)\b)\w+.*",
            r"^(?:trước|sau|với) mỗi (?!(?:dòng|bước)\b)\w+.*\b(?:phải|hãy|chạy|cập nhật|cần)\b.*",
            r"^(?:mỗi khi|mỗi lần) (?:bạn )?(?:sửa|thêm|đổi|tạo|thay đổi|viết|xóa|chạm)\b.*",
            r"\bhỏi (?:ý kiến )?(?:tôi|mình|trước)\b.*\btrước khi\b(?! (?:làm việc này|làm cái này)\b).*",
            r"\b(?:khi chưa hỏi|mà không hỏi|nếu không có sự đồng ý|khi tôi chưa đồng ý)\b.*",
        ),
        cue(
            "preference",
            r"^(?:hãy )?(?:dùng|sử dụng|viết|ưu tiên)\b.*\b(?:thay vì|thay cho|chứ không|không phải|đừng)\b.*",
            rf"\b{_WHO}\b.*\b(?:không (?:còn )?(?:dùng|sử dụng|hỗ trợ|muốn|chấp nhận|cần|viết|mock|làm)|chỉ (?:dùng|deploy|phát hành|viết|làm))\b.*",
            r"^đừng (?:dùng|sử dụng) [\w@.+-]+.*[,;].*\bdùng\b.*",
            r"^không (?!sao|có gì|cần)\w+ (?:\w+ )?trong (?:câu trả lời|commit|code|test|repo|production)\b.*",
        ),
        cue(
            "preference",
            r"\b(?:tôi|mình|chúng tôi) (?:\w+ )?(?:thích|không thích|ghét|ưu tiên|không chịu nổi|chuộng)\b(?! (?:cái này|cái đó|nó|phương án)\b).*",
        ),
        cue(
            "preference",
            r"^(?:hãy )?(?:trả lời|viết|nói|giải thích)\b.*\bbằng tiếng (?:việt|anh|pháp|đức|nhật|trung)\b.*",
            r"^(?:hãy )?trả lời (?:thật )?(?:ngắn gọn|ngắn|súc tích)\b(?!.*(?:lần này|câu này)).*|^câu trả lời ngắn\b.*|^chỉ (?:cần )?(?:code|mã|câu lệnh|đáp án)\b.*không.*",
        ),
        cue(
            "decision",
            r"\b(?:chúng tôi|chúng ta|team|nhóm) (?:đã )?(?:quyết định|chốt|thống nhất)\b.{6,}",
        ),
        cue(
            "constraint",
            r"\bđây là (?:repo|dự án) (?:công khai|riêng tư|mã nguồn mở)\b.*",
            r"\bkhông cần tương thích ngược\b.*",
        ),
        cue(
            "preference",
            r"^(?:trong|với|đối với|trên|ở) (?!(?:này|đây|phiên)\b)[\w ./-]{2,40}?,? (?:luôn|không bao giờ|chỉ|đừng|tuyệt đối|phải)\b.*",
        ),
    ),
    facts=(
        cue(
            "fact",
            r"^(?!(?:nó|cái này|lỗi|vấn đề)\b)[\w ]{3,40} của (?:chúng tôi|chúng ta|tôi|team|nhóm) (?:đặt|nằm|chạy|lưu|host|triển khai) (?:trên|ở|tại|bằng)\b.*",
            r"^(?!(?:nó|cái này|lỗi)\b)[\w ]{3,40} được (?:tạo|sinh|gửi|tính|xuất|dựng|viết|lưu|quản lý) (?:bởi|bằng|ở|trên|tại)\b.*",
            r"^(?:tôi|mình) dùng (?-i:[A-Z])\w+.*",
        ),
        cue(
            "fact",
            r"^(?!(?:nó|cái này|lỗi|vấn đề)\b)[\w ]{3,40} do .{2,40} (?:làm|phụ trách|xử lý|thực hiện|đảm nhận|quản lý)[.!]?$",
            r"^(?!(?:nó|cái này|lỗi)\b)[\w ]{3,40} được \w+(?: \w+)? (?:mỗi|hàng|hằng|cứ)\b.*",
            r"^(?:tôi là người duy nhất|chỉ (?:có )?(?:tôi|mình|chúng tôi) (?:được|có thể|mới))\b.*",
        ),
        cue(
            "fact",
            r"^(?!(?:vấn đề|lỗi)\b)[\w ]{3,40}? của (?:chúng tôi|chúng ta|tôi|team|nhóm) (?:dùng|sử dụng|làm việc|nằm|chạy|là|ở|tên)\b.*",
            r"^(?!(?:nó|cái này|lỗi)\b)[\w ]{3,40} được (?:xử lý|gửi|nhập|tính|kiểm tra|đồng bộ|dịch|ký|duyệt|lập chỉ mục) (?:bởi|bằng|qua|trong|ở|tại)\b.*",
            r"^(?:chúng tôi|bọn tôi|team|nhóm) .*\b(?:mỗi|hàng|hằng) (?:ngày|tuần|tháng|đêm|thứ \w+|sprint)\b.*",
        ),
        cue(
            "fact",
            rf"^{_WHO}(?: \w+)? (?:dùng|sử dụng|deploy|triển khai|host|hỗ trợ|lưu|phát hành|kiểm thử|viết|làm việc|quản lý|theo dõi|phát triển|họp|chạy|review|build)\b (?!(?:cái này|nó|sai)\b)\S.*",
            rf"^{_SUBJECT} (?:dùng|sử dụng|chạy (?:trên|bằng|ở)|nằm (?:trong|ở|trên)|được (?:viết|lưu|deploy|triển khai|host|quản lý|build|xây dựng|tạo|đặt) ?(?:bằng|ở|trong|trên|bởi|với|theo)?|tên là|có tên|yêu cầu|cần|là|lắng nghe|hỗ trợ)\b (?!(?:đỏ|hỏng|sai|dòng|lỗi|gì|sao)\b)\S.*",
            r"^(?-i:[A-ZĐ])\w+ (?:review|duyệt|phụ trách|quản lý|quyết định) .*",
        ),
        cue(
            "fact",
            r"^(?:tôi|mình) (?:làm việc|sống|ở|phát triển|lập trình) (?:ở|tại|từ|trên|bằng|với)? ?(?-i:[A-ZĐ]|\w).*",
            r"^(?:tôi|mình) (?:thuận tay trái|bị mù màu|là (?:lập trình viên|người bảo trì|nhà thiết kế|kỹ sư))\b.*|^múi giờ của tôi\b.*|^tên tôi là\b.*|^tôi tên là\b.*|^editor của tôi\b.*",
        ),
    ),
    weak=(
        cue("constraint", r"^(?:đừng|không|chỉ|cấm) .*", r"\b(?:phải|không được|nên)\b.*", r"\bđảm bảo\b.*"),
        cue("preference", r"^(?:hãy )?(?:dùng|sử dụng|giữ) \w+.*"),
        cue("fact", r"\bkhông còn \w+.*", r"\blỗi thời\b.*"),
    ),
    change=(
        Change(
            r"\b(?:chúng tôi|chúng ta|team|nhóm|bọn mình) (?:\w+ )?(?:chuyển|di chuyển|đổi) từ (?P<old>[\w.+@-]+) sang (?P<new>[\w.+@-]+)",
            "Chúng tôi dùng {new}.",
            "Chúng tôi dùng {new} thay vì {old}.",
        ),
        Change(
            r"\b(?:thay thế|thay) (?P<old>[\w.+@-]+) bằng (?P<new>[\w.+@-]+)",
            "Chúng tôi dùng {new}.",
            "Chúng tôi dùng {new} thay vì {old}.",
        ),
    ),
    fixed=r"(?:(?:vâng|tốt|cảm ơn|tuyệt|ok)[,.! ]+)*(?:chạy được rồi|được rồi|sửa được rồi|hết lỗi rồi|đúng rồi|giờ chạy được|vậy là được)(?:[,.:;!–-]+ ?|$)",
    explains=r"\b(?:phải|cần|thiếu|chỉ khi|không bao giờ|vì|do|không có|không \w+|là do)\b",
    points_back=r"^(?:đừng|không) bao giờ (?:tự )?làm (?:vậy|thế|như vậy)",
    wording=((r"^(?:từ giờ(?: trở đi)?|từ nay(?: về sau)?)[,:]? ", ""), (r"^hãy ", "")),
)
